import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { amount } from '#lib/shared/money.ts'
import { lockCardRow } from '../card-changes.ts'
import { issueCardNumber, sealCardNumber } from '../card-number.ts'
import { scheduleProduction } from '../card-production.ts'
import { toCard } from '../card-record.ts'
import { recordEvent } from '../events.ts'
import { claimXid } from '../external-ids.ts'
import type { Handlers } from '../handler.ts'
import { requireLockedAccount } from '../ledger/locks.ts'
import { ServiceRefusal } from '../refusal.ts'
import { cardAccounts } from '../tables/card-accounts.ts'
import { cards, products } from '../tables/cards.ts'

/** Decision: a new card's own limits are these, or the account's limit where that is higher. */
const newCardLimit = 1_000_000
const validYears = 4

export const issueCardHandlers = {
  issueCard: async ({ body }, { db, now, cardNumberKey }) => {
    const account = await requireLockedAccount(db, body.cardAccountId)
    const [product] = await db
      .select({ id: products.id })
      .from(products)
      .where(and(eq(products.id, body.productId), eq(products.cardType, body.type)))
    if (!product) {
      throw new ServiceRefusal('INVALID_PARAMETERS', `productId: must be a product for ${body.type} cards`)
    }
    const [individual] = await db
      .select({ email: sql<string | null>`${cardAccounts.individual} ->> 'email'` })
      .from(cardAccounts)
      .where(eq(cardAccounts.id, account.id))

    const id = randomUUID()
    const number = issueCardNumber()
    if (body.xid) await claimXid(db, body.xid, { type: 'card', id })
    await db.insert(cards).values({
      id,
      cardAccountId: account.id,
      xid: body.xid ?? null,
      xmetadata: body.xmetadata ?? null,
      status: body.type === 'virtual' ? 'active' : 'pending-issue',
      embossedName: body.embossedName,
      productId: product.id,
      expiryMonth: now.getUTCMonth() + 1,
      expiryYear: now.getUTCFullYear() + validYears,
      last4: number.slice(-4),
      sealedNumber: sealCardNumber(number, id, cardNumberKey),
      ...limitsFor(account.limit),
      mobile: account.phoneNumber,
      cardEmail: individual?.email ?? null,
      createdAt: now,
    })
    if (body.type === 'physical') await scheduleProduction(db, now, id)
    const card = toCard(await lockCardRow(db, now, { cardAccountId: account.id, cardId: id }))
    await recordEvent(db, now, 'card.updated', card)
    return card
  },
} satisfies Handlers<'issueCard'>

function limitsFor(accountLimit: string) {
  const limit = (amount(accountLimit).gt(newCardLimit) ? amount(accountLimit) : amount(newCardLimit)).toString()
  return {
    cardLimit: limit,
    dailyLimit: limit,
    dailyPurchaseLimit: limit,
    dailyAtmLimit: limit,
    singleTransactionLimit: limit,
    cardPresentLimit: limit,
    cardNotPresentLimit: limit,
  }
}
