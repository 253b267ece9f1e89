import type { AggregateBalance } from '#lib/contract/records.ts'
import { compareAmounts, exactSum } from '#lib/shared/exact-sum.ts'

/** The balances of one group per currency, and its value in the reporting currency. */
export type BalanceGroup = { group: string; balances: { currency: string; balance: string }[]; value: string }

function byCurrency(items: readonly AggregateBalance[]): BalanceGroup['balances'] {
  const currencies = [...new Set(items.map(({ currency }) => currency))]
  return currencies.map((currency) => ({
    currency,
    balance: exactSum(items.filter((item) => item.currency === currency).map(({ balance }) => balance)),
  }))
}

/** The service's sums gathered by group, those of the greatest value either way first, the group without the key last. */
export function balanceGroups(items: readonly AggregateBalance[]): BalanceGroup[] {
  return [...new Set(items.map(({ group }) => group))]
    .map((group) => {
      const own = items.filter((item) => item.group === group)
      return { group, balances: byCurrency(own), value: exactSum(own.map(({ value }) => value)) }
    })
    .toSorted((one, other) => {
      if ((one.group === '') !== (other.group === '')) return one.group === '' ? 1 : -1
      return (
        compareAmounts(other.value.replace('-', ''), one.value.replace('-', '')) || (one.group < other.group ? -1 : 1)
      )
    })
}

/** Everything together. */
export function totalOf(items: readonly AggregateBalance[]): Omit<BalanceGroup, 'group'> {
  return { balances: byCurrency(items), value: exactSum(items.map(({ value }) => value)) }
}
