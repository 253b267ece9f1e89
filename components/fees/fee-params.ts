import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { parseAsDay, parseAsServiceId } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** `open` is the fee whose details are shown. Amounts can be sorted within one currency. */
export const feeList = defineListParams(
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
  { open: parseAsServiceId },
  { createdAt: [], amount: ['currency'] },
)
