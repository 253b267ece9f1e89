import { hkdfSync } from 'node:crypto'
import { asc, desc, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Queryable } from '#lib/db/connection.ts'
import { type Beside, besideFields, cutPage, pageTokens } from '#lib/db/page-tokens.ts'
import { pageDatabase } from '#lib/db/snapshot.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import type { PagePosition, PageTokens } from '#lib/shared/page-tokens.ts'
import type { Environment } from '#lib/shared/routes.ts'

function listPageTokens(list: unknown) {
  const key = Buffer.from(hkdfSync('sha256', consoleSettings().sealingKey, '', 'carddesk page tokens', 32))
  return pageTokens(key, JSON.stringify(list))
}
type Tokens = ReturnType<typeof listPageTokens>

/** The position of a page; null for the first page. Throws `INVALID_PARAMETERS` for a token of another list or filter. */
function cursorIn<Cursor extends Beside>(
  schema: z.ZodType<Cursor>,
  tokens: Tokens,
  token: string | undefined,
): Cursor | null {
  if (token === undefined) return null
  const cursor = schema.safeParse(tokens.open(token))
  if (cursor.success) return cursor.data
  throw new AppError('INVALID_PARAMETERS', 'pageToken does not belong to this list; start again from the first page')
}

/** How the rows of a page compare with the row at which it begins. */
function comparison(isAscending: boolean, cursor: Beside | null): SQL {
  return sql.raw((isAscending ? '>' : '<') + (cursor?.isIncluded ? '=' : ''))
}

/** A page as a list is requested: `scope` is the list with its filter, for which alone a token is valid. */
type PageRequest = { scope: unknown; token: string | undefined; size: number }

/** Runs the query of a page: adds the condition to the list's own, sorts, and reads at most `limit` rows. */
type SelectPage<Row> = (page: { condition: SQL | undefined; order: SQL[]; limit: number }) => Promise<Row[]>

const TimeCursor = z.object({ at: z.iso.datetime(), id: z.uuid(), ...besideFields })

/** A page of rows by time and id, newest first. Throws `INVALID_PARAMETERS` for a token of another list or filter. */
export async function pageByTime<Row extends { createdAt: Date; id: string }>(
  { createdAt, id }: { createdAt: AnyPgColumn; id: AnyPgColumn },
  { scope: list, token, size }: PageRequest,
  select: SelectPage<Row>,
): Promise<{ rows: Row[] } & PageTokens> {
  const tokens = listPageTokens(list)
  const cursor = cursorIn(TimeCursor, tokens, token)
  const isBackward = cursor?.side === 'before'
  const compared = comparison(isBackward, cursor)
  const found = await select({
    condition: cursor
      ? sql`(${createdAt}, ${id}) ${compared} (${cursor.at}::timestamptz, ${cursor.id}::uuid)`
      : undefined,
    order: isBackward ? [asc(createdAt), asc(id)] : [desc(createdAt), desc(id)],
    limit: size + 1,
  })
  return cutPage(found, size, cursor, (row) => ({ at: row.createdAt.toISOString(), id: row.id }), tokens.write)
}

const NumberCursor = z.object({ number: z.int(), ...besideFields })

/** A page of rows by a unique number. Throws `INVALID_PARAMETERS` for a token of another list or filter. */
export async function pageByNumber<Row>(
  column: AnyPgColumn,
  direction: 'asc' | 'desc',
  { scope: list, token, size }: PageRequest,
  toNumber: (row: Row) => number,
  select: SelectPage<Row>,
): Promise<{ rows: Row[] } & PageTokens> {
  const tokens = listPageTokens(list)
  const cursor = cursorIn(NumberCursor, tokens, token)
  const isAscending = (direction === 'asc') !== (cursor?.side === 'before')
  const found = await select({
    condition: cursor ? sql`${column} ${comparison(isAscending, cursor)} ${cursor.number}` : undefined,
    order: [isAscending ? asc(column) : desc(column)],
    limit: size + 1,
  })
  return cutPage(found, size, cursor, (row) => ({ number: toNumber(row) }), tokens.write)
}

/**
 * A position in a list that people sort: the row's sort key as text, null where the row has no value; its id; how many
 * rows are before it; and of the rates that the first page was sorted by, when they were read.
 */
const SortedCursor = z.object({
  key: z.string().nullable(),
  id: z.string(),
  ...besideFields,
  position: z.int(),
  ratesAt: z.iso.datetime().optional(),
})
type SortedCursor = z.infer<typeof SortedCursor>

/**
 * The sorts of a list: each has an index on environment, its expression and the id. `valued` is what the filter means for rows with a
 * value, where it is no range of the index because it matches those without one, too. `ratesAt` is when the rates were read that the
 * expression divides by.
 */
export type Sort = { by: SQL; type: SQL; valued?: SQL | undefined; ratesAt?: Date }

/** A sort by the rates of a moment: the newest on the first page, and on the pages after it those of the first. */
export type SortByRates = (ratesAt: Date | undefined) => Promise<Sort>

/**
 * The same order by an expression that no index has, for a filter that few rows match, or whose rows may all be at the end of the
 * order: PostgreSQL then finds them first, instead of reading all rows in their order.
 */
export function unindexed<Any extends Sort>(sort: Any): Any {
  return { ...sort, by: sql`greatest(${sort.by})` }
}

/** The order and the page of a list: what a search has beside its filter. */
type Paging = {
  sort?: string | undefined
  direction?: 'asc' | 'desc' | undefined
  pageSize?: number | undefined
  pageToken?: string | undefined
}

/** A list that people sort, as it is requested. Its tokens are valid for this search alone. `direction` is where they give none. */
type SortedRequest = { list: string; environment: Environment; search: Paging; direction?: 'asc' | 'desc' }

const defaultPageSize = 50

/**
 * A page of rows by a sort and the id, with its position. Rows
 * without a value come last in both directions: rows with a value, and those without, are each in an order that an index gives.
 * `select` reads from `db`, and also selects `key` and `id`. Throws `INVALID_PARAMETERS` for a token of another list or filter.
 */
export async function pageSorted<Row extends { key: string | null; id: string }>(
  sort: Sort | SortByRates,
  { list, environment, search, direction = 'desc' }: SortedRequest,
  select: (db: Queryable, key: SQL.Aliased<string | null>, page: Parameters<SelectPage<Row>>[0]) => Promise<Row[]>,
): Promise<{ rows: Row[] } & PagePosition & PageTokens> {
  const { pageSize: size = defaultPageSize } = search
  const tokens = listPageTokens([list, environment, { ...search, pageToken: null, pageSize: null }])
  const cursor = cursorIn(SortedCursor, tokens, search.pageToken)
  const {
    by,
    type,
    valued: bound,
    ratesAt,
  } = typeof sort === 'function' ? await sort(cursor?.ratesAt ? new Date(cursor.ratesAt) : undefined) : sort
  const isBackward = cursor?.side === 'before'
  const isAscending = ((search.direction ?? direction) === 'asc') !== isBackward
  const order = isAscending ? sql`asc` : sql`desc`
  const compared = comparison(isAscending, cursor)
  const isWithout = cursor !== null && cursor.key === null
  const beyondId = cursor && isWithout ? sql`and id ${compared} ${cursor.id}` : sql``
  const beyondKey =
    cursor && !isWithout ? sql`and (${by}, id) ${compared} (${cursor.key}::${type}, ${cursor.id})` : sql``
  const within = bound ? sql`and ${bound}` : sql``
  const valued = {
    condition: sql`${by} is not null ${within} ${beyondKey}`,
    order: [sql`${by} ${order}`, sql`id ${order}`],
  }
  const without = { condition: sql`${by} is null ${beyondId}`, order: [sql`id ${order}`] }
  // The page begins in the part of its token, and may go on in the other one, which is before it or behind it.
  const parts = isBackward ? [without, valued] : [valued, without]
  if (isWithout !== isBackward) parts.shift()
  const db = pageDatabase()
  const key = sql<string | null>`(${by})::text`.as('sort_key')
  const found: Row[] = []
  for (const part of parts) {
    const limit = size + 1 - found.length
    if (limit > 0) found.push(...(await select(db, key, { ...part, limit })))
  }
  const count = Math.min(found.length, size)
  const first = count === 0 ? 0 : firstPosition(cursor, count, found.length > size)
  const last = count === 0 ? 0 : first + count - 1
  const position = { first, last }
  const positionOf = ({ key, id }: Row, end: 'first' | 'last') => ({
    key,
    id,
    position: position[end],
    ...(ratesAt && { ratesAt: ratesAt.toISOString() }),
  })
  const page = cutPage(found, size, cursor, positionOf, tokens.write)
  return { ...page, first, last }
}

/** The position of the first row of the page. */
function firstPosition(cursor: SortedCursor | null, rows: number, hasMore: boolean): number {
  if (!cursor) return 1
  const own = cursor.isIncluded ? 1 : 0
  if (cursor.side === 'after') return cursor.position + 1 - own
  return hasMore ? Math.max(cursor.position + own - rows, 1) : 1
}
