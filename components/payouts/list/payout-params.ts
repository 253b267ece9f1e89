import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { parseAsDay } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames, type ParamsOf, withSort } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

const filters = {
  q: parseAsString.withDefault(''),
  /** Statuses and methods are open sets. */
  status: parseAsArrayOf(parseAsString),
  method: parseAsString,
  sourceCurrency: parseAsString,
  destinationCurrency: parseAsString,
  accountId: parseAsString,
  dateRangeFrom: parseAsDay,
  dateRangeTo: parseAsDay,
} satisfies FilterNames<ReadSearch<'listPayouts'>>
const list = defineListParams(filters, { sort: parseAsString })
type PayoutParams = ParamsOf<typeof list>
type Sort = NonNullable<ReadSearch<'listPayouts'>['sort']>

export const payoutList = withSort(list, isSortable)

/** Filters that each sort requires: amounts can be sorted within one currency only. */
const sortable: Record<Sort, 'sourceCurrency' | 'destinationCurrency' | null> = {
  created: null,
  updated: null,
  sourceAmount: 'sourceCurrency',
  destinationAmount: 'destinationCurrency',
}

/** Whether the list can be sorted by a column as it is filtered now. */
export function isSortable(
  column: string,
  params: Pick<PayoutParams, 'sourceCurrency' | 'destinationCurrency'>,
): column is Sort {
  if (!Object.hasOwn(sortable, column)) return false
  const needed = sortable[column as Sort]
  return needed === null || Boolean(params[needed])
}
