import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { parseAsChecked, parseAsDay, parseAsServiceId, refuseCardNumber } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** Statuses and intents are open sets. `find` is a transaction's id or external ID, whole. */
export const transactionList = defineListParams({
  find: parseAsChecked(findProblem),
  status: parseAsString,
  intent: parseAsArrayOf(parseAsString),
  cardId: parseAsServiceId,
  dateRangeFrom: parseAsDay,
  dateRangeTo: parseAsDay,
} satisfies FilterNames<ReadSearch<'listTransactions'>>)

/** The issue of a text of `find`, before any request; undefined where it is valid. */
export function findProblem(text: string): string | undefined {
  return refuseCardNumber(text) ?? (text.length > 256 ? 'An external ID has at most 256 characters.' : undefined)
}
