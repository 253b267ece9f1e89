import { cardPeriods } from '#lib/contract/charge-rule.ts'
import { partialSum } from '#lib/contract/exact-sum.ts'
import type { Card, CardAccountTransaction } from '#lib/contract/records.ts'
import { isUncounted, unboundCardLimit } from '#lib/contract/terms.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** The start of the present day in Hong Kong, by which the built-in service counts daily limits. ISO 8601. */
export function cardDayStart(nowMs: number): string {
  return cardPeriods(new Date(nowMs)).dayStart.toISOString()
}

/** What a card is charged with: purchases and cash. */
const chargeIntents = ['charge', 'withdraw']

/** Search for the charges of a card that are authorized and not captured. */
export function pendingFilters(cardId: string): ReadSearch<'listTransactions'> {
  return { cardId, status: 'pending', intent: chargeIntents, pageSize: 100 }
}

/** Search for the transactions that count against the daily limits. */
export function usageFilters(cardId: string, nowMs: number): ReadSearch<'listTransactions'> {
  return { cardId, intent: chargeIntents, dateRangeFrom: cardDayStart(nowMs), pageSize: 100 }
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
  /**
   * Whether a daily limit counts the charge; null: what the service provided does not show it. Absent: the interface gives the
   * limit no period, so nothing is counted against it.
   */
  counts?: (transaction: CardAccountTransaction) => boolean | null
}

function isAtm({ intent, authorization }: CardAccountTransaction): boolean | null {
  if (intent === 'withdraw' || authorization?.type === 'ATM') return true
  return intent === null || (authorization && authorization.type === null) ? null : false
}

function not(isSo: boolean | null): boolean | null {
  return isSo === null ? null : !isSo
}

/** Each limit of a card, and which charges of a day count against it. */
const limitRows: readonly LimitRow[] = [
  { name: 'dailyLimit', label: 'Per day', counts: () => true },
  { name: 'dailyPurchaseLimit', label: 'Purchases per day', counts: (charge) => not(isAtm(charge)) },
  { name: 'dailyAtmLimit', label: 'Cash per day', counts: isAtm },
  { name: 'cardPresentLimit', label: 'Card present' },
  { name: 'cardNotPresentLimit', label: 'Card not present' },
  { name: 'cardLimit', label: 'Card limit' },
  { name: 'singleTransactionLimit', label: 'Single transaction' },
]

/** The limits that a card has of its own: those that the service provided, and that bind. */
export function boundLimits(card: Pick<Card, LimitName>): { label: string; limit: number }[] {
  return limitRows.flatMap(({ name, label }) => {
    const limit = card[name]
    return limit === null || limit >= unboundCardLimit ? [] : [{ label, limit }]
  })
}

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
 * The charges counted against each daily limit: the pending and posted ones of the day. `isAtLeast` is set where the page
 * does not reach back to its start. `used` is null where nothing is counted or nothing was read.
 */
export function limitUsage(
  card: Pick<Card, LimitName>,
  read: { transactions: readonly CardAccountTransaction[]; nextPageToken: string | null } | undefined,
  nowMs: number,
): LimitUsage[] {
  const start = cardDayStart(nowMs)
  const charges = read?.transactions.filter(({ status }) => !isUncounted(status))
  const oldest = read?.transactions.at(-1)?.createdAt
  return limitRows.map(({ name, label, counts }) => {
    const own = card[name]
    const limit = own !== null && own >= unboundCardLimit ? 'none' : own
    if (charges === undefined || !counts) {
      return { name, label, limit, used: null, isAtLeast: false, excluded: 0 }
    }
    const possible = charges.filter(
      (one) => (one.createdAt === null || one.createdAt >= start) && counts(one) !== false,
    )
    const countable = possible.filter((one) => one.createdAt !== null && isCounted(one) && counts(one) === true)
    const { sum, missing } = partialSum(countable.map(({ amount }) => amount))
    const isOlderUnread = Boolean(read?.nextPageToken) && !(oldest && oldest < start)
    const excluded = possible.length - countable.length + missing
    const used = countable.length === 0 && excluded > 0 ? null : sum
    return { name, label, limit, used, isAtLeast: isOlderUnread || excluded > 0, excluded }
  })
}
