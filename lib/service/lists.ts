import { createHmac, timingSafeEqual } from 'node:crypto'
import { asc, desc, type Placeholder, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { defaultPageSize } from '#lib/contract/fields.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/prepared.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { errorOfIssues, type FieldIssue } from './api-error.ts'

type Values = Readonly<Record<string, unknown>>

/** A list of the interface as data: how its rows are selected, which filters it has, and what orders it. */
type ListOptions<Query extends PageQuery, Row> = {
  /** Names the list in its page tokens and its prepared statements. */
  name: string
  select: (db: Queryable) => Selectable<Row>
  createdAt: AnyPgColumn
  id: AnyPgColumn
  position: (row: Row) => PagePosition
  /** The condition of each query field, with a placeholder where its value goes. */
  filters: { [Field in Exclude<keyof Query, keyof PageQuery>]-?: (value: Placeholder) => SQL }
}

/** The part of Drizzle's query builder that a list needs. */
type Selectable<Row> = {
  where: (condition: SQL | undefined) => {
    orderBy: (...order: SQL[]) => {
      limit: (limit: Placeholder) => { prepare: (name: string) => Statement<Row> }
    }
  }
}
type Statement<Row> = { execute: (values: Record<string, unknown>) => Promise<Row[]> }

/**
 * A list, newest first: reads the page that a query requests. Each combination of filters and direction is one
 * statement, built and planned once a connection. `values` are for placeholders in `select`. Page tokens are bound to the list
 * and to every filter of the query but the page size; throws `INVALID_PARAMETERS` for a token that is not one of this list and
 * filter. Rows added later move nothing.
 */
export function defineList<Query extends PageQuery, Row>(options: ListOptions<Query, Row>) {
  const filters = options.filters as Readonly<Record<string, (value: Placeholder) => SQL>>
  const fields = Object.keys(filters)
  const statementsOf = perDatabase((_db: Queryable) => new Map<string, Statement<Row>>())

  function statementFor(db: Queryable, given: readonly string[], direction: 'first' | 'next' | 'prev'): Statement<Row> {
    const built = statementsOf(db)
    const shape = [options.name, direction, ...given].join(' ')
    const cached = built.get(shape)
    if (cached) return cached
    // PostgreSQL's names end at 63 characters.
    const statement = build(db, given, direction).prepare(`list_${sha256Hex(shape).slice(0, 40)}`)
    built.set(shape, statement)
    return statement
  }

  function build(db: Queryable, given: readonly string[], direction: 'first' | 'next' | 'prev') {
    const { createdAt, id } = options
    const order = direction === 'prev' ? asc : desc
    const cursor = sql`(${sql.placeholder('cursorCreatedAt')}, ${sql.placeholder('cursorId')})`
    const beyond = {
      first: [],
      next: [sql`(${createdAt}, ${id}) < ${cursor}`],
      prev: [sql`(${createdAt}, ${id}) > ${cursor}`],
    }
    const conditions = [
      ...given.map((field) => filters[field]?.(sql.placeholder(field)) ?? sql`true`),
      ...beyond[direction],
    ]
    return options
      .select(db)
      .where(sql.join(conditions.length > 0 ? conditions : [sql`true`], sql` and `))
      .orderBy(order(createdAt), order(id))
      .limit(sql.placeholder('pageLimit'))
  }

  return async (
    context: { db: Queryable; pageTokenKey: Buffer },
    query: Query,
    values: Values = {},
  ): Promise<Page<Row>> => {
    const { pageSize = defaultPageSize, pageToken, ...filter } = query
    const tokens = pageTokens(context.pageTokenKey, options.name, filter)
    const cursor = pageToken === undefined ? undefined : (tokens.open(pageToken) ?? undefined)
    if (pageToken !== undefined && !cursor) throw errorOfIssues([tokenIssue])
    const isBackwards = cursor?.direction === 'prev'

    const given = fields.filter((field) => (query as Values)[field] !== undefined)
    const found = await statementFor(context.db, given, cursor?.direction ?? 'first').execute({
      ...values,
      ...query,
      cursorCreatedAt: cursor?.createdAt,
      cursorId: cursor?.id,
      pageLimit: pageSize + 1,
    })
    const hasMore = found.length > pageSize
    const rows = found.slice(0, pageSize)
    if (isBackwards) rows.reverse()

    const [first, last] = [rows[0], rows.at(-1)].map((row) => (row === undefined ? cursor : options.position(row)))
    const hasNewer = isBackwards ? hasMore : cursor !== undefined
    const hasOlder = isBackwards || hasMore
    return {
      rows,
      prevPageToken: hasNewer && first ? tokens.write({ ...first, direction: 'prev' }) : null,
      nextPageToken: hasOlder && last ? tokens.write({ ...last, direction: 'next' }) : null,
    }
  }
}

/** The position of a row in a list: newest first, then by id. */
type PagePosition = { createdAt: Date; id: string }

type Page<Row> = { rows: Row[]; prevPageToken: string | null; nextPageToken: string | null }

type Cursor = PagePosition & { direction: 'next' | 'prev' }

type PageQuery = { pageSize?: number | undefined; pageToken?: string | undefined }

/** Returns the issues of a query's page token. With an invalid filter, only the token's form is checked. */
export function pageTokenIssues(key: Buffer, list: string, query: PageQuery, isFilterRight: boolean): FieldIssue[] {
  const { pageSize: _, pageToken, ...filter } = query
  if (pageToken === undefined) return []
  const isRight = isFilterRight ? pageTokens(key, list, filter).open(pageToken) !== null : partsOf(pageToken) !== null
  return isRight ? [] : [tokenIssue]
}

const tokenIssue: FieldIssue = { path: 'pageToken', message: 'must be a token of a page of this list and filter' }

const tokenPattern = /^([np])(-?\d{1,15})\.([0-9a-f-]{36})$/

function pageTokens(key: Buffer, list: string, filter: Readonly<Record<string, unknown>>) {
  const scope = JSON.stringify([
    list,
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      // Several values filter alike in any order.
      .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])
      .sort(),
  ])
  const seal = (cursor: string) => createHmac('sha256', key).update(`${scope}\n${cursor}`).digest().subarray(0, 16)
  return {
    write({ direction, createdAt, id }: Cursor): string {
      const cursor = `${direction === 'next' ? 'n' : 'p'}${createdAt.getTime()}.${id}`
      return Buffer.concat([seal(cursor), Buffer.from(cursor)]).toString('base64url')
    },
    /** Null for a token that is not one of this list and filter. */
    open(token: string): Cursor | null {
      const parts = partsOf(token)
      return parts && timingSafeEqual(parts.seal, seal(parts.cursor)) ? parts.position : null
    },
  }
}

/** The content of a token, whichever key sealed it; null for a text that is no token. */
function partsOf(token: string): { seal: Buffer; cursor: string; position: Cursor } | null {
  const bytes = Buffer.from(token, 'base64url')
  const cursor = bytes.subarray(16).toString()
  const [, direction, time = '', id = ''] = tokenPattern.exec(cursor) ?? []
  if (!direction || bytes.toString('base64url') !== token) return null
  const position: Cursor = { direction: direction === 'n' ? 'next' : 'prev', createdAt: new Date(Number(time)), id }
  return { seal: bytes.subarray(0, 16), cursor, position }
}
