import type { FeeEntry } from '#lib/contract/records.ts'
import { sum, type Amount } from '#lib/shared/money.ts'
import { changeOf } from './record.ts'
import type { CurrencyFees, FeeSum } from './types.ts'

const feeStatuses = ['pending', 'posted', 'void']
const counting = new Set<string | null>(['pending', 'posted'])

/** Exact sums per currency and status; the currency with the most fees first. */
export function sumFees(fees: readonly FeeEntry[]): CurrencyFees[] {
  const byCurrency = Map.groupBy(fees, ({ currency }) => currency)
  return [...byCurrency]
    .toSorted(([one, own], [other, others]) => others.length - own.length || compareCodes(one, other))
    .map(([currency, own]) => sumCurrency(currency, own))
}

/** Codes in alphabetical order, missing ones last. */
export function compareCodes(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return one.localeCompare(other, 'en')
}

/** Adds up the changes of fees of one currency. Amounts without a currency are never added to each other. */
export function sumChanges(
  currency: string | null,
  fees: readonly FeeEntry[],
  changeIn: (fee: FeeEntry) => Amount | null = changeOf,
): FeeSum {
  const changes = currency === null ? [] : fees.flatMap((fee) => changeIn(fee) ?? [])
  const isUnknown = currency === null || (fees.length > 0 && changes.length === 0)
  return {
    fees: fees.length,
    amount: isUnknown ? null : sum(changes).toFixed(),
    excluded: fees.length - changes.length,
  }
}

function sumCurrency(currency: string | null, fees: readonly FeeEntry[]): CurrencyFees {
  const statuses = new Set<string | null>([...feeStatuses, ...fees.map(({ status }) => status)])
  const ofStatus = (status: string | null) => fees.filter((fee) => fee.status === status)
  const counted = fees.filter(({ status }) => counting.has(status))
  const isUnknown = counted.length === 0 && fees.some(({ status }) => !feeStatuses.includes(status ?? ''))
  const isAnyStatusUnknown = fees.some(({ status }) => status === null)
  const sumStatus = (status: string | null): FeeSum => {
    const own = ofStatus(status)
    const sums = sumChanges(currency, own)
    // None is known to have this status, but some fee may.
    return own.length === 0 && isAnyStatusUnknown ? { ...sums, amount: null } : sums
  }
  return {
    currency,
    counted: { ...sumChanges(currency, counted), ...(isUnknown ? { amount: null } : {}) },
    statuses: [...statuses].map((status) => ({ status, ...sumStatus(status) })),
    excluded: sumChanges(currency, fees).excluded,
  }
}
