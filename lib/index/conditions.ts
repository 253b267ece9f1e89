import 'server-only'
import { inArray, like, sql, type Column, type SQL } from 'drizzle-orm'
import { isUuid } from '#lib/shared/ids.ts'

/**
 * Whether a column holds one of these ids, UUIDs also in lower or upper case. The condition uses the column's index;
 * `hasIdInAnyCase` finds any id in mixed case, too, and reads the whole table.
 */
export function hasId(column: Column, ids: readonly string[]): SQL {
  const spellings = new Set(ids.flatMap((id) => (isUuid(id) ? [id, id.toLowerCase(), id.toUpperCase()] : id)))
  return inArray(sql`${column}::text`, [...spellings])
}

export function hasIdInAnyCase(column: Column, ids: readonly string[]): SQL {
  return inArray(
    sql`lower(${column}::text)`,
    ids.map((id) => id.toLowerCase()),
  )
}

/** The order of an index on a descending column. PostgreSQL takes `desc()` for another one, which puts nulls first. */
export function newestFirst(column: Column): SQL {
  return sql`${column} desc nulls last`
}

/** Whether a column of text holds this text somewhere. */
export function containsText(column: Column, text: string): SQL {
  return like(column, `%${escapeLike(text)}%`)
}

/** Whether a column of texts and ids holds a term of a search. Four digits are those of a card, or a number of their own: not a part of an id. */
export function containsTerm(column: Column, term: string): SQL {
  const isHeld = containsText(column, term)
  if (!/^\d{4}$/.test(term)) return isHeld
  return sql`(${isHeld} and ${column} ~ ${`(^|[^0-9a-z-])${term}($|[^0-9a-z-])`})`
}

/** A text for LIKE, in which its wildcards stand for themselves. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
