import { eq, getTableColumns, sql } from 'drizzle-orm'
import { Card } from '#lib/contract/cards.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { toWire } from '#lib/shared/money.ts'
import { availableLimit, spendingOfCard } from './card-limits.ts'
import { cardAccounts } from './tables/card-accounts.ts'
import { cards, products } from './tables/cards.ts'
import { wireRecord } from './wire-record.ts'

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
  const limit = toWire(availableLimit(card, account, spending))
  return record(card, { network: 'card_network_1', product, availableLimit: limit })
}

const record = wireRecord(Card)
