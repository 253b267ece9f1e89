import { type ChargeKind, cardPeriods, type chargeLimits } from './charge-rule.ts'
import { exactSum, isLess, negated } from './exact-sum.ts'
import type { CardAccountTransaction } from './records.ts'
import { isUncounted, transactionIntents } from './terms.ts'

/** A card's charges, withdrawals and refunds since the start of a month. Not `isWhole`: some of them were not read. */
export type Charges = { entries: readonly CardAccountTransaction[]; isWhole: boolean }

/**
 * How much was charged against a limit in its period, up to an instant and with it. The records name neither the charge that a
 * refund belongs to nor, of all services, every field: where that matters, `least` and `most`, which are decimal text, differ. `most`
 * null: unbounded.
 */
export function spentAgainst(
  { period, restricts }: (typeof chargeLimits)[number],
  { entries, isWhole }: Charges,
  at: Date,
): { least: string; most: string | null } {
  if (period === 'charge') return { least: '0', most: '0' }
  const { dayStart, monthStart } = cardPeriods(at)
  const start = period === 'day' ? dayStart : monthStart
  const counted: CardAccountTransaction[] = []
  const possible: CardAccountTransaction[] = []
  const refunds: CardAccountTransaction[] = []
  for (const entry of entries) {
    const isWithin = isBetween(entry, start, at)
    const counts = and(isWithin, isRestricted(entry, restricts), isCounted(entry))
    if (counts === true && entry.amount !== null) counted.push(entry)
    else if (counts !== false) possible.push(entry)
    if (entry.intent === 'refund' && isWithin !== false) refunds.push(entry)
  }
  const spent = sumAmounts(counted)
  // Only what is posted is refunded by an entry of its own; of a pending charge the amount falls.
  const refundable = sumAmounts(counted.filter(({ status }) => status === 'posted'))
  const refunded = sumAmounts(refunds)
  const isBounded = isWhole && possible.every((entry) => entry.amount !== null)
  return {
    least: exactSum([spent, negated(isLess(refunded, refundable) ? refunded : refundable)]),
    most: isBounded ? exactSum([spent, sumAmounts(possible)]) : null,
  }
}

function sumAmounts(entries: readonly CardAccountTransaction[]): string {
  return exactSum(entries.map((entry) => entry.amount ?? 0))
}

type Known = boolean | null

function and(...facts: Known[]): Known {
  return facts.includes(false) ? false : facts.includes(null) ? null : true
}

function isSpending({ intent }: CardAccountTransaction): Known {
  if (intent === 'charge' || intent === 'withdraw') return true
  return transactionIntents.some((known) => known === intent) ? false : null
}

function isBetween({ createdAt }: CardAccountTransaction, start: Date, end: Date): Known {
  if (createdAt === null) return null
  const at = Date.parse(createdAt)
  return at >= start.getTime() && at <= end.getTime()
}

/** Pending and posted ones count. One that is void now may have counted then, when it was pending. */
function isCounted({ status }: CardAccountTransaction): Known {
  if (status === 'pending' || status === 'posted') return true
  return isUncounted(status) ? false : null
}

/** Whether a limit restricts the entry, as a charge of its kind; null where the record does not show its kind. */
export function isRestricted(entry: CardAccountTransaction, restricts: (kind: ChargeKind) => boolean): Known {
  const { intent, authorization } = entry
  const isOfSpending = isSpending(entry)
  if (isOfSpending === false) return false
  // Cash is always taken with the card in the machine.
  const asCash = restricts({ type: 'ATM', cardPresent: true })
  if (intent === 'withdraw') return asCash
  const { type = 'PURCHASE', cardPresent = false } = authorization ?? {}
  const kinds = (['PURCHASE', 'ATM'] as const)
    .filter((one) => type === null || one === type || (type !== 'PURCHASE' && type !== 'ATM'))
    .flatMap((one) => [true, false].map((present) => ({ type: one, cardPresent: present })))
    .filter((one) => cardPresent === null || one.cardPresent === cardPresent)
  const results = new Set([...kinds.map(restricts), ...(isOfSpending ? [] : [asCash])])
  if (!results.has(true)) return false
  return results.size === 1 && isOfSpending ? true : null
}
