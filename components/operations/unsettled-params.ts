import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

export const unsettledList = defineListParams({
  kind: parseAsString,
  by: parseAsStringLiteral(['me']),
  about: parseAsString,
} satisfies FilterNames<ReadSearch<'listUnsettled'>>)

/** Payouts that were sent and are not settled, for the pages that name them. */
export const unsettledPayouts = { kind: 'payout.submit', pageSize: '5' }
