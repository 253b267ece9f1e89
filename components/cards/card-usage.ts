import {
  type CardLimitName,
  cardPeriods,
  type ChargeKind,
  chargeLimits,
  nextCardPeriods,
} from '#lib/contract/charge-rule.ts'
import { exactSum, isLess, negated, partialSum } from '#lib/contract/exact-sum.ts'
import { isRestricted, spentAgainst } from '#lib/contract/limit-spending.ts'
import type { Card, CardAccountTransaction } from '#lib/contract/records.ts'
import { isUncounted, unboundCardLimit } from '#lib/contract/terms.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { present } from '#lib/shared/provided.ts'

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

/** Search for the transactions that count against the limits of a day and a month, and the refunds that give back of them. */
export function usageFilters(cardId: string, nowMs: number): ReadSearch<'listTransactions'> {
  const { monthStart } = cardPeriods(new Date(nowMs))
  return { cardId, intent: [...chargeIntents, 'refund'], dateRangeFrom: monthStart.toISOString(), pageSize: 100 }
}

/** The declined charges in a card's history. */
export function declinedFilters(cardId: string): ReadSearch<'listTransactions'> {
  return { cardId, status: 'declined', pageSize: 10 }
}

type LimitRow = { name: CardLimitName; label: string; labelInPeriod?: string }

/** Each limit of a card. Those with `labelInPeriod` have a period that the interface does not name: it is the built-in service's. */
const limitRows: readonly LimitRow[] = [
  { name: 'dailyLimit', label: 'Per day' },
  { name: 'dailyPurchaseLimit', label: 'Purchases per day' },
  { name: 'dailyAtmLimit', label: 'Cash per day' },
  { name: 'cardPresentLimit', label: 'Card present', labelInPeriod: 'Card present per day' },
  { name: 'cardNotPresentLimit', label: 'Card not present', labelInPeriod: 'Card not present per day' },
  { name: 'cardLimit', label: 'Card limit', labelInPeriod: 'Card limit per month' },
  { name: 'singleTransactionLimit', label: 'Single transaction' },
]

function ruleOf(name: CardLimitName): (typeof chargeLimits)[number] | undefined {
  return chargeLimits.find((limit) => limit.name === name)
}

/** The limits that a card has of its own: those that the service provided, and that bind. */
export function boundLimits(card: Pick<Card, CardLimitName>): { label: string; limit: number }[] {
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
  name: CardLimitName
  label: string
  limit: number | 'none' | null
  used: string | null
  isAtLeast: boolean
  excluded: number
}

function isCounted({ status }: CardAccountTransaction): boolean {
  return status === 'pending' || status === 'posted'
}

type UsageRead = { transactions: readonly CardAccountTransaction[]; nextPageToken: string | null }

/**
 * The charges counted against each limit: the pending and posted ones of its period. Against a limit whose period the interface
 * does not name they are counted for the built-in service alone. `isAtLeast` is set where the page does not reach back to the start
 * of the period. `used` is null where nothing is counted or nothing was read.
 */
export function limitUsage(
  card: Pick<Card, CardLimitName>,
  read: UsageRead | undefined,
  nowMs: number,
  isBuiltIn: boolean,
): LimitUsage[] {
  const charges = read?.transactions.filter(({ status }) => !isUncounted(status))
  return limitRows.map((row) => {
    const { name } = row
    const own = card[name]
    const limit = own !== null && own >= unboundCardLimit ? 'none' : own
    const label = (isBuiltIn && row.labelInPeriod) || row.label
    const rule = ruleOf(name)
    if (!read || !charges || !rule || rule.period === 'charge' || (row.labelInPeriod && !isBuiltIn)) {
      return { name, label, limit, used: null, isAtLeast: false, excluded: 0 }
    }
    const start = periodStart(rule.period, nowMs)
    const counts = (one: CardAccountTransaction) => isRestricted(one, rule.restricts)
    const possible = charges.filter(
      (one) => (one.createdAt === null || one.createdAt >= start) && counts(one) !== false,
    )
    const countable = possible.filter((one) => one.createdAt !== null && isCounted(one) && counts(one) === true)
    const { sum, missing } = partialSum(countable.map((one) => one.amount))
    const excluded = possible.length - countable.length + missing
    const used = countable.length === 0 && excluded > 0 ? null : sum
    return { name, label, limit, used, isAtLeast: !reachesBack(read, start) || excluded > 0, excluded }
  })
}

function periodStart(period: 'day' | 'month', nowMs: number): string {
  const { dayStart, monthStart } = cardPeriods(new Date(nowMs))
  return (period === 'day' ? dayStart : monthStart).toISOString()
}

function reachesBack({ transactions, nextPageToken }: UsageRead, start: string): boolean {
  const oldest = transactions.at(-1)?.createdAt
  return !nextPageToken || Boolean(oldest && oldest < start)
}

const purchaseKinds: readonly { label: string; kind: ChargeKind }[] = [
  { label: 'Online', kind: { type: 'PURCHASE', cardPresent: false } },
  { label: 'In a shop', kind: { type: 'PURCHASE', cardPresent: true } },
]

/**
 * The kinds of purchase that can have less than the card's `availableLimit`, which is for the kind of charge that can have the most
 * (the built-in service's rule). `isAtLeast` where refunds may have given back a part of what was charged.
 */
export function smallerPurchases(
  card: Pick<Card, CardLimitName | 'availableLimit'>,
  read: UsageRead | undefined,
  nowMs: number,
): { label: string; largest: string; isAtLeast: boolean }[] {
  const ofAnyKind = card.availableLimit
  if (ofAnyKind === null || !read) return []
  const now = new Date(nowMs)
  // What was charged after the card was read counts, too.
  const endOfDay = new Date(nextCardPeriods(now).day.getTime() - 1)
  const isWhole = reachesBack(read, cardDayStart(nowMs))
  return purchaseKinds.flatMap(({ label, kind }) => {
    // `availableLimit` is within the limits of a charge and of a month: they restrict every kind.
    const limits = chargeLimits.filter(({ period, restricts }) => period === 'day' && restricts(kind))
    const lefts = limits.flatMap((limit) => {
      const own = card[limit.name]
      if (own === null || own >= unboundCardLimit) return []
      const spent = spentAgainst(limit, { entries: read.transactions, isWhole }, endOfDay)
      return [{ least: exactSum([own, negated(spent.most)]), most: exactSum([own, negated(spent.least)]) }]
    })
    const least = smallest([ofAnyKind, ...present(lefts.map((left) => left.least))])
    if (lefts.some((left) => left.least === null) || !isLess(least, ofAnyKind)) return []
    const most = smallest([ofAnyKind, ...lefts.map((left) => left.most)])
    return [{ label, largest: isLess(least, 0) ? '0' : String(least), isAtLeast: isLess(least, most) }]
  })
}

function smallest(amounts: readonly (number | string)[]): number | string {
  return amounts.reduce((one, other) => (isLess(other, one) ? other : one))
}
