import { parseAsArrayOf, parseAsString } from 'nuqs/server'
import { parseAsDay, parseAsServiceId } from '#components/filters/address-parsers.ts'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** Statuses and intents are open sets. `find` is a transaction's id or external id, whole. */
export const transactionList = defineListParams({
  find: parseAsString,
  status: parseAsString,
  intent: parseAsArrayOf(parseAsString),
  cardId: parseAsServiceId,
  dateRangeFrom: parseAsDay,
  dateRangeTo: parseAsDay,
} satisfies FilterNames<ReadSearch<'listTransactions'>>)
