import type { TransactionFilters } from '#lib/console/transactions.ts'
import { unboundCardLimit } from '#lib/contract/card-limits.ts'
import type { Card, CardAccountTransaction } from '#lib/contract/records.ts'
import { exactSum } from '#lib/shared/exact-sum.ts'
import { dayMs, hourMs } from '#lib/shared/time.ts'

const hongKongMs = 8 * hourMs

/** The starts of the present day and month in Hong Kong, by which the limits of a card are counted. */
export function limitPeriods(nowMs: number): { dayStart: string; monthStart: string } {
  const local = new Date(nowMs + hongKongMs)
  const day = Math.floor(local.getTime() / dayMs) * dayMs
  const month = Date.UTC(local.getUTCFullYear(), local.getUTCMonth())
  return {
    dayStart: new Date(day - hongKongMs).toISOString(),
    monthStart: new Date(month - hongKongMs).toISOString(),
  }
}

/** What has to be read to say how much of the limits is used. */
export function usageFilters(cardId: string, nowMs: number): TransactionFilters {
  return { cardId, intent: ['charge', 'withdraw'], dateRangeFrom: limitPeriods(nowMs).monthStart, pageSize: 100 }
}

/** The declined charges that stand among what happened to a card. */
export function declinedFilters(cardId: string): TransactionFilters {
  return { cardId, status: 'declined', pageSize: 10 }
}

type LimitName = keyof Pick<
  Card,
  | 'cardLimit'
  | 'dailyLimit'
  | 'dailyPurchaseLimit'
  | 'dailyAtmLimit'
  | 'cardPresentLimit'
  | 'cardNotPresentLimit'
  | 'singleTransactionLimit'
>

type LimitRow = {
  name: LimitName
  label: string
  period: 'month' | 'day' | null
  counts: (transaction: CardAccountTransaction) => boolean
}

function isAtm({ intent, authorization }: CardAccountTransaction): boolean {
  return intent === 'withdraw' || authorization?.type === 'ATM'
}

function isPresent({ intent, authorization }: CardAccountTransaction): boolean {
  return intent === 'withdraw' || authorization?.cardPresent === true
}

/** Each limit of a card, over which time it is counted and which charges it counts. */
export const limitRows: readonly LimitRow[] = [
  { name: 'dailyLimit', label: 'Per day', period: 'day', counts: () => true },
  { name: 'dailyPurchaseLimit', label: 'Purchases per day', period: 'day', counts: (charge) => !isAtm(charge) },
  { name: 'dailyAtmLimit', label: 'Cash per day', period: 'day', counts: isAtm },
  { name: 'cardPresentLimit', label: 'Card present, per day', period: 'day', counts: isPresent },
  {
    name: 'cardNotPresentLimit',
    label: 'Card not present, per day',
    period: 'day',
    counts: (charge) => !isPresent(charge),
  },
  { name: 'cardLimit', label: 'Per month', period: 'month', counts: () => true },
  { name: 'singleTransactionLimit', label: 'Single transaction', period: null, counts: () => false },
]

/** `limit` is null where the card has none of its own. */
export type LimitUsage = {
  name: LimitName
  label: string
  limit: number | null
  used: string | null
  isAtLeast: boolean
}

/**
 * What was charged against each limit: pending and posted charges of the period. `isAtLeast` where the page read does not
 * reach back to its start. `used` is null where nothing is counted, or nothing was read.
 */
export function limitUsage(
  card: Pick<Card, LimitName>,
  read: { transactions: readonly CardAccountTransaction[]; nextPageToken: string | null } | undefined,
  nowMs: number,
): LimitUsage[] {
  const { dayStart, monthStart } = limitPeriods(nowMs)
  const charges = read?.transactions.filter(({ status }) => status === 'pending' || status === 'posted')
  const oldest = read?.transactions.at(-1)?.createdAt
  return limitRows.map(({ name, label, period, counts }) => {
    const start = period === 'day' ? dayStart : monthStart
    const used =
      charges === undefined || period === null
        ? null
        : exactSum(charges.filter((charge) => charge.createdAt >= start && counts(charge)).map(({ amount }) => amount))
    const isAtLeast = Boolean(read?.nextPageToken) && oldest !== undefined && oldest >= start
    const limit = card[name] >= unboundCardLimit ? null : card[name]
    return { name, label, limit, used, isAtLeast }
  })
}
