import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

export const deviationList = defineListParams({
  endpoint: parseAsString,
  kind: parseAsStringLiteral(['difference', 'unknown-field'] as const),
} satisfies FilterNames<ReadSearch<'listDeviations'>>)
