import { parseAsStringLiteral } from 'nuqs/server'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { BulkFilters } from '#lib/console/bulk/read.ts'
import { itemStateTable, jobStateTable, kindTable } from './bulk-labels.ts'

function namesOf<Name extends string>(table: Record<Name, unknown>): Name[] {
  return Object.keys(table) as Name[]
}

export const bulkJobList = defineListParams({
  state: parseAsStringLiteral(namesOf(jobStateTable)),
  kind: parseAsStringLiteral(namesOf(kindTable)),
} satisfies FilterNames<BulkFilters>)

/** The rows of one job. */
export const bulkItemList = defineListParams({ state: parseAsStringLiteral(namesOf(itemStateTable)) })
