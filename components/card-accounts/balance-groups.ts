import type { AggregateBalance } from '#lib/contract/records.ts'
import { compareAmounts, partialSum } from '#lib/shared/exact-sum.ts'

/**
 * The balances of one group per currency, and its value in the reporting currency; null where the service provided none.
 * `missing` counts the balances without a value, which `value` excludes. A null `group` or `currency` was not provided.
 */
export type BalanceGroup = {
  group: string | null
  balances: { currency: string | null; balance: string | null; missing: number }[]
  value: string | null
  missing: number
}

function byCurrency(items: readonly AggregateBalance[]): BalanceGroup['balances'] {
  return [...Map.groupBy(items, ({ currency }) => currency)].map(([currency, own]) => {
    const { sum, missing } = partialSum(own.map(({ balance }) => balance))
    return { currency, balance: sum, missing }
  })
}

/** Everything together. */
export function totalOf(items: readonly AggregateBalance[]): Omit<BalanceGroup, 'group'> {
  const { sum, missing } = partialSum(items.map(({ value }) => value))
  return { balances: byCurrency(items), value: sum, missing }
}

/** Groups with a name come first, then those of the accounts without the key, then those that were not provided. */
function orderOf(group: string | null): number {
  return group === null ? 2 : group === '' ? 1 : 0
}

/** The service's sums gathered by group, those of the greatest value either way first, the group without the key last. */
export function balanceGroups(items: readonly AggregateBalance[]): BalanceGroup[] {
  return [...Map.groupBy(items, ({ group }) => group)]
    .map(([group, own]) => ({ group, ...totalOf(own) }))
    .toSorted(
      (one, other) =>
        orderOf(one.group) - orderOf(other.group) ||
        byValue(one.value, other.value) ||
        ((one.group ?? '') < (other.group ?? '') ? -1 : 1),
    )
}

function byValue(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return compareAmounts(other.replace('-', ''), one.replace('-', ''))
}
