import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { parseAsDay, parseAsServiceId } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames, withSort } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** `open` is the fee whose details are shown. */
const list = defineListParams(
  {
    q: parseAsString.withDefault(''),
    /** An open set. */
    status: parseAsArrayOf(parseAsString),
    feeId: parseAsServiceId,
    intent: parseAsString,
    currency: parseAsString,
    xid: parseAsString,
    accountId: parseAsArrayOf(parseAsServiceId),
    dateRangeFrom: parseAsDay,
    dateRangeTo: parseAsDay,
  } satisfies FilterNames<ReadSearch<'listFees'>>,
  { open: parseAsServiceId, sort: parseAsString },
)

/** Amounts can be sorted within one currency. */
export function isSortable(
  column: string,
  { currency }: { currency: string | null },
): column is 'createdAt' | 'amount' {
  return column === 'createdAt' || (column === 'amount' && Boolean(currency))
}

export const feeList = withSort(list, isSortable)
