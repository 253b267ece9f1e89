import type { FeeEntry } from '#lib/contract/records.ts'
import { amount, type Amount } from '#lib/shared/money.ts'
import { changeOf } from './record.ts'

/** What fees do to balances together, as signed decimal text. */
export type FeeSum = { fees: number; amount: string }

/** `counted`: pending and posted, which the balances have in them. `unreadable` fees came without an amount. */
export type CurrencyFees = {
  currency: string
  counted: FeeSum
  /** Pending, posted and void first, whether there are any or not; then what nobody knows. */
  statuses: ({ status: string } & FeeSum)[]
  unreadable: number
}

const known = ['pending', 'posted', 'void']
const counting = new Set(['pending', 'posted'])

type Running = { fees: number; total: Amount }
const nothing = (): Running => ({ fees: 0, total: amount(0) })
const asText = ({ fees, total }: Running): FeeSum => ({ fees, amount: total.toFixed() })

/** Exact sums per currency and status; the currency with the most fees first. */
export function sumFees(fees: readonly FeeEntry[]): CurrencyFees[] {
  const byCurrency = Map.groupBy(fees, ({ currency }) => currency)
  return [...byCurrency]
    .map(([currency, own]) => sumCurrency(currency, own))
    .toSorted((one, other) => count(other) - count(one) || one.currency.localeCompare(other.currency, 'en'))
}

function count({ statuses }: CurrencyFees): number {
  return statuses.reduce((total, { fees }) => total + fees, 0)
}

function sumCurrency(currency: string, fees: readonly FeeEntry[]): CurrencyFees {
  const byStatus = new Map<string, Running>(known.map((status) => [status, nothing()]))
  const counted = nothing()
  let unreadable = 0
  for (const fee of fees) {
    const change = changeOf(fee)
    if (!change) unreadable += 1
    const own = byStatus.get(fee.status) ?? nothing()
    byStatus.set(fee.status, own)
    for (const sum of counting.has(fee.status) ? [own, counted] : [own]) {
      sum.fees += 1
      sum.total = sum.total.plus(change ?? 0)
    }
  }
  const statuses = [...byStatus].map(([status, sum]) => ({ status, ...asText(sum) }))
  return { currency, counted: asText(counted), statuses, unreadable }
}
