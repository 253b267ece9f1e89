import type { Card, CardAccountTransaction } from '#lib/contract/records.ts'
import { unboundCardLimit } from '#lib/contract/terms.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { partialSum } from '#lib/shared/exact-sum.ts'
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
export function usageFilters(cardId: string, nowMs: number): ReadSearch<'listTransactions'> {
  return { cardId, intent: ['charge', 'withdraw'], dateRangeFrom: limitPeriods(nowMs).monthStart, pageSize: 100 }
}

/** The declined charges in a card's history. */
export function declinedFilters(cardId: string): ReadSearch<'listTransactions'> {
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
  /** Null: what the service provided does not show whether the limit counts the charge. */
  counts: (transaction: CardAccountTransaction) => boolean | null
}

function isAtm({ intent, authorization }: CardAccountTransaction): boolean | null {
  if (intent === 'withdraw' || authorization?.type === 'ATM') return true
  return intent === null || (authorization && authorization.type === null) ? null : false
}

function isPresent({ intent, authorization }: CardAccountTransaction): boolean | null {
  if (intent === 'withdraw') return true
  return intent === null || (authorization && authorization.cardPresent === null)
    ? null
    : authorization?.cardPresent === true
}

function not(isSo: boolean | null): boolean | null {
  return isSo === null ? null : !isSo
}

/** Each limit of a card, over which time it is counted and which charges it counts. */
const limitRows: readonly LimitRow[] = [
  { name: 'dailyLimit', label: 'Per day', period: 'day', counts: () => true },
  { name: 'dailyPurchaseLimit', label: 'Purchases per day', period: 'day', counts: (charge) => not(isAtm(charge)) },
  { name: 'dailyAtmLimit', label: 'Cash per day', period: 'day', counts: isAtm },
  { name: 'cardPresentLimit', label: 'Card present, per day', period: 'day', counts: isPresent },
  {
    name: 'cardNotPresentLimit',
    label: 'Card not present, per day',
    period: 'day',
    counts: (charge) => not(isPresent(charge)),
  },
  { name: 'cardLimit', label: 'Per month', period: 'month', counts: () => true },
  { name: 'singleTransactionLimit', label: 'Single transaction', period: null, counts: () => false },
]

/**
 * `limit` is null where the service did not provide it. `excluded` counts charges that `used` leaves out, since the
 * service did not provide their amount, time or kind, or their status is unknown.
 */
export type LimitUsage = {
  name: LimitName
  label: string
  limit: number | 'none' | null
  used: string | null
  isAtLeast: boolean
  excluded: number
}

function isCounted({ status }: CardAccountTransaction): boolean {
  return status === 'pending' || status === 'posted'
}

/**
 * The charges counted against each limit: pending and posted charges of the period. `isAtLeast` is set where the page
 * does not reach back to the start of the period. `used` is null where nothing is counted or nothing was read.
 */
export function limitUsage(
  card: Pick<Card, LimitName>,
  read: { transactions: readonly CardAccountTransaction[]; nextPageToken: string | null } | undefined,
  nowMs: number,
): LimitUsage[] {
  const { dayStart, monthStart } = limitPeriods(nowMs)
  const charges = read?.transactions.filter(({ status }) => status !== 'declined' && status !== 'void')
  const oldest = read?.transactions.at(-1)?.createdAt
  return limitRows.map(({ name, label, period, counts }) => {
    const start = period === 'day' ? dayStart : monthStart
    const own = card[name]
    const limit = own !== null && own >= unboundCardLimit ? 'none' : own
    if (charges === undefined || period === null) {
      return { name, label, limit, used: null, isAtLeast: false, excluded: 0 }
    }
    const possible = charges.filter(
      (one) => (one.createdAt === null || one.createdAt >= start) && counts(one) !== false,
    )
    const countable = possible.filter((one) => one.createdAt !== null && isCounted(one) && counts(one) === true)
    const { sum, missing } = partialSum(countable.map(({ amount }) => amount))
    const isOlderUnread = Boolean(read?.nextPageToken) && oldest !== undefined && (oldest === null || oldest >= start)
    const excluded = possible.length - countable.length + missing
    const used = countable.length === 0 && excluded > 0 ? null : sum
    return { name, label, limit, used, isAtLeast: isOlderUnread || excluded > 0, excluded }
  })
}
