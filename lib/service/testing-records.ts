import { randomUUID } from 'node:crypto'
import { mapCardLimits } from '#lib/contract/charge-rule.ts'
import type { Database } from '#lib/db/connection.ts'
import { sealCardNumber, seededCardNumber } from './card-number.ts'
import { products as seededProducts } from './seed/products.ts'
import { cardAccounts } from './tables/card-accounts.ts'
import { cards, products } from './tables/cards.ts'
import { testCardNumberKey } from './testing.ts'

type NewCardAccount = typeof cardAccounts.$inferInsert
type NewCard = typeof cards.$inferInsert

/** A card account with 10,000 HKD of credit and nothing spent, unless a test says otherwise. */
export async function addCardAccount(db: Database, given: Partial<NewCardAccount> = {}): Promise<string> {
  const id = randomUUID()
  await db.insert(cardAccounts).values({
    id,
    name: 'Chan Tai Man',
    phoneNumber: '+85251234567',
    identityType: 'individual',
    accountType: 'credit',
    currency: 'HKD',
    limit: '10000',
    balance: '0',
    openingBalance: '0',
    disputeAmount: '0',
    clientIdentityStatus: 'approved',
    createdAt: new Date(),
    ...given,
  })
  return id
}

/** The number of every card that `addCard` makes. */
export const testCardNumber = seededCardNumber(1)

/** An active physical card, in an account of its own unless one is given. Its limits are higher than any account's. */
export async function addCard(
  db: Database,
  given: Partial<NewCard> = {},
): Promise<{ cardAccountId: string; cardId: string }> {
  const cardAccountId = given.cardAccountId ?? (await addCardAccount(db))
  const cardId = randomUUID()
  const product = seededProducts.everyday
  await db.insert(products).values(product).onConflictDoNothing()
  await db.insert(cards).values({
    id: cardId,
    cardAccountId,
    status: 'active',
    embossedName: 'CHAN TAI MAN',
    productId: product.id,
    expiryMonth: 11,
    expiryYear: 2030,
    last4: testCardNumber.slice(-4),
    sealedNumber: sealCardNumber(testCardNumber, cardId, testCardNumberKey),
    ...mapCardLimits(() => '1000000'),
    createdAt: new Date(),
    ...given,
  })
  return { cardAccountId, cardId }
}
