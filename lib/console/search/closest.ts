import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { nameDistance, fold, type SearchText, strictnesses, toTsquery } from '#lib/index/search-terms.ts'
import { mostOfAKind } from './query.ts'

/** So many rows are compared with what was typed. */
export const mostCompared = 200
/** Fewer, and records with a letter wrong are looked for as well, unless one has each of several words whole. */
const enough = 5

type Compared = { id: string; name: string | null; terms: string[]; at: Date | null }

/**
 * Rows by their terms, those that match whole words first; the closest first. `read` returns the rows of a `tsquery`. Where others are
 * `found`, none with a letter wrong is looked for.
 */
export async function findClosest<Row extends Compared>(
  text: SearchText,
  read: (query: string) => Promise<readonly Row[]>,
  found: Promise<readonly unknown[]> | null = null,
): Promise<Row[]> {
  const rows = new Map<string, Row>()
  let isFoundWhole = false
  for (const strictness of strictnesses) {
    const query = toTsquery(text, strictness)
    if (query === null || rows.size >= mostOfAKind) break
    if (strictness === 'misspelled' && (isFoundWhole || rows.size >= enough || (await found)?.length)) break
    for (const row of await read(query)) if (!rows.has(row.id)) rows.set(row.id, row)
    isFoundWhole ||= strictness === 'whole' && text.terms.length > 1 && rows.size > 0
  }
  return [...rows.values()]
    .map((row) => ({ row, name: fold(row.name ?? '') }))
    .map(({ row, name }) => ({ row, name, distance: nameDistance(text, row.terms, name) }))
    .toSorted(
      (one, other) =>
        one.distance - other.distance ||
        Number(other.name.includes(text.text)) - Number(one.name.includes(text.text)) ||
        one.name.length - other.name.length ||
        (other.row.at?.getTime() ?? 0) - (one.row.at?.getTime() ?? 0),
    )
    .slice(0, mostOfAKind)
    .map(({ row }) => row)
}

/** Whether a row has the terms of a `tsquery`. */
export function hasTerms(column: AnyPgColumn, query: string): SQL {
  return sql`${column} @@ ${query}::tsquery`
}

export const termsArray = (column: AnyPgColumn) => sql<string[]>`tsvector_to_array(${column})`
