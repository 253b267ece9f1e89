import { and, asc, desc, type Placeholder, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { defaultPageSize } from '#lib/contract/fields.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { type Beside, besideFields, cutPage, pageTokens } from '#lib/db/page-tokens.ts'
import { perDatabase } from '#lib/db/per-database.ts'
import type { PageTokens } from '#lib/shared/page-tokens.ts'
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
 * A list, newest first. Its page tokens are bound to the list and to every filter of the query but the page size. Each
 * combination of filters and direction is one statement, built and planned once a connection.
 */
export function defineList<Query extends PageQuery, Row>(options: ListOptions<Query, Row>) {
  const filters = options.filters as Readonly<Record<string, (value: Placeholder) => SQL>>
  const fields = Object.keys(filters)
  const listStatements = perDatabase((_db: Queryable) => new Map<string, Statement<Row>>())

  function statementFor(db: Queryable, given: readonly string[], start: Beside | null): Statement<Row> {
    const built = listStatements(db)
    const place = start ? `${start.side}${start.isIncluded ? '-with' : ''}` : 'first'
    const shape = [options.name, place, ...given].join(' ')
    const cached = built.get(shape)
    if (cached) return cached
    // PostgreSQL's names end at 63 characters.
    const statement = build(db, given, start).prepare(`list_${sha256Hex(shape).slice(0, 40)}`)
    built.set(shape, statement)
    return statement
  }

  function build(db: Queryable, given: readonly string[], start: Beside | null) {
    const { createdAt, id } = options
    const isBackward = start?.side === 'before'
    const order = isBackward ? asc : desc
    const cursor = sql`(${sql.placeholder('cursorCreatedAt')}, ${sql.placeholder('cursorId')})`
    const compared = sql.raw((isBackward ? '>' : '<') + (start?.isIncluded ? '=' : ''))
    const beyond = start ? sql`(${createdAt}, ${id}) ${compared} ${cursor}` : undefined
    return options
      .select(db)
      .where(and(...given.map((field) => filters[field]?.(sql.placeholder(field))), beyond))
      .orderBy(order(createdAt), order(id))
      .limit(sql.placeholder('pageLimit'))
  }

  /**
   * Reads the page that a query requests; rows added later move nothing. `values` are for placeholders in `select`. Throws
   * `INVALID_PARAMETERS` for a token that is not one of this list and filter.
   */
  async function read(
    context: { db: Queryable; pageTokenKey: Buffer },
    query: Query,
    values: Values = {},
  ): Promise<Page<Row>> {
    const { pageSize = defaultPageSize, pageToken, ...filter } = query
    const tokens = pageTokens(context.pageTokenKey, listScope(options.name, filter))
    const cursor = pageToken === undefined ? null : cursorIn(tokens.open(pageToken))
    if (pageToken !== undefined && !cursor) throw errorOfIssues([tokenIssue])

    const given = fields.filter((field) => (query as Values)[field] !== undefined)
    const found = await statementFor(context.db, given, cursor).execute({
      ...values,
      ...query,
      cursorCreatedAt: cursor && new Date(cursor.createdAt),
      cursorId: cursor?.id,
      pageLimit: pageSize + 1,
    })
    const toPosition = (row: Row) => {
      const { createdAt, id } = options.position(row)
      return { createdAt: createdAt.getTime(), id }
    }
    return cutPage(found, pageSize, cursor, toPosition, tokens.write)
  }

  /** Reports a bad page token together with other issues; alone, `read` reports it. With an invalid filter only its form is checked. */
  function tokenRule(
    { query, wrong }: { query: Partial<Query>; wrong: ReadonlySet<string> },
    { pageTokenKey }: { pageTokenKey: Buffer },
  ): FieldIssue[] {
    const { pageSize: _, pageToken, ...filter } = query
    if (pageToken === undefined || wrong.size === 0) return []
    const isFilterRight = [...wrong].every((path) => path === 'pageSize')
    const isRight = isFilterRight
      ? cursorIn(pageTokens(pageTokenKey, listScope(options.name, filter)).open(pageToken)) !== null
      : isPageToken(pageToken)
    return isRight ? [] : [tokenIssue]
  }

  return { read, tokenRule }
}

/** The position of a row in a list: newest first, rows of one instant by id, which is greater for the newer one. */
type PagePosition = { createdAt: Date; id: string }

type Page<Row> = { rows: Row[] } & PageTokens

type PageQuery = { pageSize?: number | undefined; pageToken?: string | undefined }

const tokenIssue: FieldIssue = { path: 'pageToken', message: 'must be a token of a page of this list and filter' }

/** The instant in milliseconds. */
const Cursor = z.object({ createdAt: z.int(), id: z.string(), ...besideFields })

function cursorIn(opened: unknown): z.infer<typeof Cursor> | null {
  return Cursor.safeParse(opened).data ?? null
}

function listScope(list: string, filter: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([
    list,
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      // Several values filter alike in any order.
      .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])
      .sort(),
  ])
}

/** Whether a text has the form of a token, of whichever key and scope. */
function isPageToken(text: string): boolean {
  return /^[\w-]{20,400}\.[\w-]{22}$/.test(text)
}
