import { parseAsStringLiteral } from 'nuqs/server'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { itemStateTable, jobStateTable, kindTable } from './bulk-labels.ts'

function namesOf<Name extends string>(table: Record<Name, unknown>): Name[] {
  return Object.keys(table) as Name[]
}

export const bulkJobList = defineListParams({
  state: parseAsStringLiteral(namesOf(jobStateTable)),
  kind: parseAsStringLiteral(namesOf(kindTable)),
} satisfies FilterNames<ReadSearch<'listBulkJobs'>>)

/** The rows of one job. */
export const bulkItemList = defineListParams({ state: parseAsStringLiteral(namesOf(itemStateTable)) })
