import { and, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import type { Queryable } from '#lib/db/connection.ts'
import { amount, type Amount } from '#lib/shared/money.ts'
import { dayMs, hourMs } from '#lib/shared/time.ts'
import type { cardAccounts } from './tables/card-accounts.ts'
import { type CardLimits, cards } from './tables/cards.ts'
import { cardAccountTransactions } from './tables/transactions.ts'

/** Decision: a card's day and month are Hong Kong's; `cardLimit` bounds a month, a single transaction itself, the rest a day. */
const zoneOffsetMs = 8 * hourMs

export function cardPeriods(now: Date): { dayStart: Date; monthStart: Date } {
  const local = new Date(now.getTime() + zoneOffsetMs)
  const day = Math.floor(local.getTime() / dayMs) * dayMs
  const month = Date.UTC(local.getUTCFullYear(), local.getUTCMonth())
  return { dayStart: new Date(day - zoneOffsetMs), monthStart: new Date(month - zoneOffsetMs) }
}

const spent = cardAccountTransactions
const isToday = sql`${spent.createdAt} >= ${sql.placeholder('dayStart')}`
const isAtm = sql`(${spent.intent} = 'withdraw' or coalesce(${spent.authorization}->>'type' = 'ATM', false))`
/** Cash is always taken with the card in the machine. */
const isPresent = sql`(${spent.intent} = 'withdraw' or coalesce((${spent.authorization}->>'cardPresent')::boolean, false))`
const total = (condition: ReturnType<typeof sql>) =>
  sql<string>`coalesce(sum(${spent.amount} - ${spent.refundedAmount}) filter (where ${condition}), 0)`

/**
 * A lateral subquery beside `cards`: what the card has spent this month and today, pending charges counted, what was
 * reversed of them not. Placeholders: those of `cardPeriods`.
 */
export function spendingOfCard(db: Queryable) {
  return db
    .select({
      month: total(sql`true`).as('month_spent'),
      day: total(isToday).as('day_spent'),
      dayAtm: total(sql`${isToday} and ${isAtm}`).as('day_atm_spent'),
      dayPurchase: total(sql`${isToday} and not ${isAtm}`).as('day_purchase_spent'),
      dayPresent: total(sql`${isToday} and ${isPresent}`).as('day_present_spent'),
      dayNotPresent: total(sql`${isToday} and not ${isPresent}`).as('day_not_present_spent'),
    })
    .from(spent)
    .where(
      and(
        eq(spent.cardId, cards.id),
        gte(spent.createdAt, sql.placeholder('monthStart')),
        inArray(spent.intent, ['charge', 'withdraw']),
        inArray(spent.status, ['pending', 'posted']),
        isNull(spent.reversedAt),
      ),
    )
    .as('spending')
}

export type CardSpending = Record<'month' | 'day' | 'dayAtm' | 'dayPurchase' | 'dayPresent' | 'dayNotPresent', string>

/** The kind of a charge: it decides which limits bind. */
export type ChargeKind = { type: 'PURCHASE' | 'ATM'; cardPresent: boolean }

/** A limit on a charge: the amount left, and the message where a charge exceeds it. */
type ChargeBound = { left: Amount; responseCode: string; responseMessage: string }

const overLimit = '61'

/** Every bound of a charge, in the order in which they are checked. Response codes are those of ISO 8583. */
export function chargeBounds(
  card: CardLimits<string>,
  account: AccountFunds,
  spending: CardSpending,
  kind: ChargeKind,
): ChargeBound[] {
  const left = (limit: string, used: string) => amount(limit).minus(used)
  const bound = (remaining: Amount, name: string): ChargeBound => ({
    left: remaining,
    responseCode: overLimit,
    responseMessage: `Exceeds the ${name}`,
  })
  const byType =
    kind.type === 'ATM'
      ? bound(left(card.dailyAtmLimit, spending.dayAtm), 'daily ATM limit')
      : bound(left(card.dailyPurchaseLimit, spending.dayPurchase), 'daily purchase limit')
  const byPresence = kind.cardPresent
    ? bound(left(card.cardPresentLimit, spending.dayPresent), 'card-present limit')
    : bound(left(card.cardNotPresentLimit, spending.dayNotPresent), 'card-not-present limit')
  return [
    { left: available(account), responseCode: '51', responseMessage: 'Insufficient available balance' },
    bound(amount(card.singleTransactionLimit), 'single transaction limit'),
    byPresence,
    byType,
    bound(left(card.dailyLimit, spending.day), 'daily limit'),
    bound(left(card.cardLimit, spending.month), 'card limit'),
  ]
}

const chargeKinds: readonly ChargeKind[] = [
  { type: 'PURCHASE', cardPresent: true },
  { type: 'PURCHASE', cardPresent: false },
  { type: 'ATM', cardPresent: true },
]

/** The largest amount that one charge can have within all limits of the card; 0 at least. */
export function availableLimit(card: CardLimits<string>, account: AccountFunds, spending: CardSpending): Amount {
  return chargeKinds
    .map((kind) => chargeBounds(card, account, spending, kind).map(({ left }) => left))
    .map((left) => left.reduce((one, other) => (other.lt(one) ? other : one)))
    .reduce((one, other) => (other.gt(one) ? other : one), amount(0))
}

type AccountFunds = Pick<typeof cardAccounts.$inferSelect, 'accountType' | 'balance' | 'limit'>

/** The amount available on an account: balance + limit for `credit`, balance for `prepaid`. */
export function available(account: AccountFunds): Amount {
  return account.accountType === 'credit' ? amount(account.balance).plus(account.limit) : amount(account.balance)
}
