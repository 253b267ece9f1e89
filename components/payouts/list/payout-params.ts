import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { parseAsDay } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** Statuses and methods are open sets. Amounts can be sorted within one currency. */
export const payoutList = defineListParams(
  {
    q: parseAsString.withDefault(''),
    status: parseAsArrayOf(parseAsString),
    method: parseAsString,
    sourceCurrency: parseAsString,
    destinationCurrency: parseAsString,
    accountId: parseAsString,
    dateRangeFrom: parseAsDay,
    dateRangeTo: parseAsDay,
  } satisfies FilterNames<ReadSearch<'listPayouts'>>,
  {},
  { created: [], updated: [], sourceAmount: ['sourceCurrency'], destinationAmount: ['destinationCurrency'] },
)
