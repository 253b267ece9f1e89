import { getTableColumns, lte, sql, type SQL } from 'drizzle-orm'
import type { AnyPgTable } from 'drizzle-orm/pg-core'
import { isServiceId } from '#lib/shared/ids.ts'
import { storable } from '#lib/shared/texts.ts'
import type { indexedFees } from '#lib/tables/fees.ts'
import type { indexedLedger } from '#lib/tables/ledger.ts'
import type { indexedPayouts } from '#lib/tables/payouts.ts'

/**
 * The records that the index stores, in the order of ids, so that two writers of the same ones wait for each other instead of locking
 * up. A list that grew while it was read may hold one twice: the first is used. `excluded` counts those whose id cannot be used.
 */
export function storedRecords<Row extends { id: string }>(rows: readonly Row[]): { stored: Row[]; excluded: number } {
  const usable = rows.filter(({ id }) => isServiceId(id))
  const byId = new Map(usable.toReversed().map((row) => [row.id, row]))
  const stored = [...byId.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return { stored, excluded: rows.length - usable.length }
}

/** For an upsert: every column that the rows have, as the row would have been inserted. Its key stays. */
export function fromExcluded(table: AnyPgTable, [row = {}]: readonly object[]): Record<string, SQL> {
  const columns = getTableColumns(table)
  const names = Object.keys(row).filter((name) => name !== 'environment' && name !== 'id')
  return Object.fromEntries(names.map((name) => [name, sql.raw(`excluded."${columns[name]?.name}"`)]))
}

/** For the rows of a list that the console has a copy of: a row is replaced unless a later request has written it. */
export function unlessNewer(
  table: typeof indexedFees | typeof indexedPayouts | typeof indexedLedger,
  rows: readonly object[],
) {
  return {
    target: [table.environment, table.id],
    set: { ...fromExcluded(table, rows), reading: sql`greatest(${table.reading}, excluded.reading)` },
    setWhere: lte(table.readAt, sql`excluded.read_at`),
  }
}

/** The text that a free-text search looks in: what the record has of these, in lower case. */
export function toSearchText(texts: readonly (string | null | undefined)[]): string {
  return texts
    .flatMap((text) => storable(text) ?? [])
    .join('\n')
    .toLowerCase()
}
