import type { FeeEntry } from '#lib/contract/records.ts'
import { sum, type Amount } from '#lib/shared/money.ts'
import { lacking, unknownLast } from '#lib/shared/provided.ts'
import type { CurrencyFees, FeeSum } from './types.ts'

const feeStatuses = ['pending', 'posted', 'void']
const counting = new Set<string | null>(['pending', 'posted'])

/** The fees of one currency and status. `excluded` of them have no known change, and are not in the amount. */
export type StatusSum = {
  currency: string | null
  status: string | null
  fees: number
  /** Signed decimal text; null where none has a known change. */
  amount: string | null
  excluded: number
}

/** Exact sums per currency and status; the currency with the most fees first. */
export function sumFees(rows: readonly StatusSum[]): CurrencyFees[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .map(([currency, own]) => sumCurrency(currency, own))
    .toSorted((one, other) => countFees(other) - countFees(one) || compareCodes(one.currency, other.currency))
}

function countFees({ statuses }: CurrencyFees): number {
  return statuses.reduce((count, { fees }) => count + fees, 0)
}

/** Codes in alphabetical order, missing ones last. */
export const compareCodes = unknownLast<string>((one, other) => one.localeCompare(other, 'en'))

/** Adds up the changes of fees of one currency. Amounts without a currency are never added to each other. */
export function sumChanges(
  currency: string | null,
  fees: readonly FeeEntry[],
  changeIn: (fee: FeeEntry) => Amount | null,
): FeeSum {
  const changes = fees.flatMap((fee) => changeIn(fee) ?? [])
  return toFeeSum(currency, fees.length, changes, fees.length - changes.length)
}

function sumCurrency(currency: string | null, rows: readonly StatusSum[]): CurrencyFees {
  const statuses = new Set<string | null>([...feeStatuses, ...rows.map(({ status }) => status)])
  const counted = addUp(
    currency,
    rows.filter(({ status }) => counting.has(status)),
  )
  const isUnknown = counted.fees === 0 && rows.some(({ status }) => !feeStatuses.includes(status ?? ''))
  const isAnyStatusUnknown = lacking(rows, 'status').length > 0
  const sumStatus = (wanted: string | null): FeeSum => {
    const sums = addUp(
      currency,
      rows.filter(({ status }) => status === wanted),
    )
    // None is known to have this status, but some fee may.
    return sums.fees === 0 && isAnyStatusUnknown ? { ...sums, amount: null } : sums
  }
  return {
    currency,
    counted: { ...counted, ...(isUnknown ? { amount: null } : {}) },
    statuses: [...statuses].map((status) => ({ status, ...sumStatus(status) })),
    excluded: addUp(currency, rows).excluded,
  }
}

function addUp(currency: string | null, rows: readonly StatusSum[]): FeeSum {
  const fees = rows.reduce((count, row) => count + row.fees, 0)
  const amounts = rows.flatMap(({ amount }) => amount ?? [])
  return toFeeSum(
    currency,
    fees,
    amounts,
    rows.reduce((count, row) => count + row.excluded, 0),
  )
}

/** Without a currency all are excluded. The amount is null where nothing is left of the fees. */
function toFeeSum(currency: string | null, fees: number, changes: (Amount | string)[], unknown: number): FeeSum {
  const excluded = currency === null ? fees : unknown
  const isUnknown = currency === null || (fees > 0 && excluded === fees)
  return { fees, amount: isUnknown ? null : sum(changes).toFixed(), excluded }
}
