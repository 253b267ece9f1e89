import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import type { BulkFilters } from '#lib/console/bulk/read.ts'
import { itemStateTable, jobStateTable, kindTable } from './bulk-labels.ts'

function namesOf<Name extends string>(table: Record<Name, unknown>): Name[] {
  return Object.keys(table) as Name[]
}

/** What the address of the list keeps. */
export const bulkListParams = {
  state: parseAsStringLiteral(namesOf(jobStateTable)),
  kind: parseAsStringLiteral(namesOf(kindTable)),
  pageToken: parseAsString,
}

/** What the address of a job keeps. */
export const bulkItemParams = { state: parseAsStringLiteral(namesOf(itemStateTable)), pageToken: parseAsString }

type Values<Params> = Record<keyof Params, string | null>

export function bulkListSearch({ state, kind, pageToken }: Values<typeof bulkListParams>): BulkFilters {
  return { state: state ?? undefined, kind: kind ?? undefined, pageToken: pageToken ?? undefined }
}

export function bulkItemSearch({ state, pageToken }: Values<typeof bulkItemParams>): BulkFilters {
  return { state: state ?? undefined, pageToken: pageToken ?? undefined }
}
