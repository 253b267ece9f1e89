import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Card } from '#lib/contract/cards.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { toWire } from '#lib/shared/money.ts'
import { availableLimit, spendingOfCard } from './card-limits.ts'
import { cardAccounts } from './tables/card-accounts.ts'
import { cardLimitsOf, cards, products } from './tables/cards.ts'

const { sealedNumber: _sealedNumber, pinDigest: _pinDigest, ...openColumns } = getTableColumns(cards)

/** Everything that a Card record is made of; the caller adds the condition. Placeholders: those of `cardPeriods`. */
export function selectCards(db: Queryable) {
  const spending = spendingOfCard(db)
  return db
    .select({
      card: openColumns,
      product: getTableColumns(products),
      account: {
        accountType: cardAccounts.accountType,
        balance: cardAccounts.balance,
        limit: cardAccounts.limit,
      },
      spending: {
        month: spending.month,
        day: spending.day,
        dayAtm: spending.dayAtm,
        dayPurchase: spending.dayPurchase,
        dayPresent: spending.dayPresent,
        dayNotPresent: spending.dayNotPresent,
      },
    })
    .from(cards)
    .innerJoin(products, eq(products.id, cards.productId))
    .innerJoin(cardAccounts, eq(cardAccounts.id, cards.cardAccountId))
    .innerJoinLateral(spending, sql`true`)
}

export type CardRow = Awaited<ReturnType<typeof selectCards>>[number]

/** The Card of the interface. */
export function toCard({ card, product, account, spending }: CardRow): Card {
  return {
    id: card.id,
    cardAccountId: card.cardAccountId,
    xid: card.xid,
    xmetadata: card.xmetadata as Card['xmetadata'],
    status: card.status,
    embossedName: card.embossedName,
    network: 'card_network_1',
    product,
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    last4: card.last4,
    replacedBy: card.replacedBy,
    ...cardLimitsOf((name) => toWire(card[name])),
    availableLimit: toWire(availableLimit(card, account, spending)),
    mobile: card.mobile,
    cardEmail: card.cardEmail,
    createdAt: card.createdAt.toISOString(),
  }
}
