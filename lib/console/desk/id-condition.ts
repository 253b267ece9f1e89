import 'server-only'
import { inArray, sql, type Column, type SQL } from 'drizzle-orm'

/**
 * Whether a column holds one of these ids, as given or in lower or upper case. The condition uses the column's index;
 * `hasIdInAnyCase` finds mixed case, too, and reads the whole table.
 */
export function hasId(column: Column, ids: readonly string[]): SQL {
  const spellings = new Set(ids.flatMap((id) => [id, id.toLowerCase(), id.toUpperCase()]))
  return inArray(sql`${column}::text`, [...spellings])
}

export function hasIdInAnyCase(column: Column, ids: readonly string[]): SQL {
  return inArray(
    sql`lower(${column}::text)`,
    ids.map((id) => id.toLowerCase()),
  )
}
