import { and, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import {
  balanceDecline,
  type CardLimitName,
  type CardLimits,
  type ChargeKind,
  chargeLimits,
  type Decline,
} from '#lib/contract/charge-rule.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { amount, type Amount } from '#lib/shared/money.ts'
import type { cardAccounts } from './tables/card-accounts.ts'
import { cards } from './tables/cards.ts'
import { cardAccountTransactions } from './tables/transactions.ts'

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

/** Amounts counted against each limit in its period. */
const spentAgainst: Record<CardLimitName, keyof CardSpending | null> = {
  singleTransactionLimit: null,
  cardPresentLimit: 'dayPresent',
  cardNotPresentLimit: 'dayNotPresent',
  dailyAtmLimit: 'dayAtm',
  dailyPurchaseLimit: 'dayPurchase',
  dailyLimit: 'day',
  cardLimit: 'month',
}

/** A bound on a charge: the amount left, and how a charge that exceeds it is declined. */
type ChargeBound = Decline & { left: Amount }

/** Every bound of a charge, in the order in which they are checked. */
export function chargeBounds(
  card: CardLimits<string>,
  account: AccountFunds,
  spending: CardSpending,
  kind: ChargeKind,
): ChargeBound[] {
  const restricting = chargeLimits.filter(({ restricts }) => restricts(kind))
  return [
    { left: available(account), ...balanceDecline },
    ...restricting.map(({ name, decline }) => {
      const key = spentAgainst[name]
      return { left: amount(card[name]).minus(key === null ? 0 : spending[key]), ...decline }
    }),
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

export type AccountFunds = Pick<typeof cardAccounts.$inferSelect, 'accountType' | 'balance' | 'limit'>

/** The amount available on an account: balance + limit for `credit`, balance for `prepaid`. */
export function available(account: AccountFunds): Amount {
  return account.accountType === 'credit' ? amount(account.balance).plus(account.limit) : amount(account.balance)
}
