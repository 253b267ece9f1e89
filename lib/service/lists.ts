import { asc, desc, sql, type Placeholder, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Queryable } from '#lib/db/connection.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { pageFrom, type Page, type PageQuery, type PagePosition } from './pages.ts'

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
 * statement, built and planned once a connection. `values` are for placeholders in `select`.
 */
export function defineList<Query extends PageQuery, Row>(options: ListOptions<Query, Row>) {
  const filters = options.filters as Readonly<Record<string, (value: Placeholder) => SQL>>
  const fields = Object.keys(filters)
  const statements = new WeakMap<Queryable, Map<string, Statement<Row>>>()

  function statementFor(db: Queryable, given: readonly string[], direction: 'first' | 'next' | 'prev'): Statement<Row> {
    const built = statements.get(db) ?? new Map<string, Statement<Row>>()
    statements.set(db, built)
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

  return (context: { db: Queryable; pageTokenKey: Buffer }, query: Query, values: Values = {}): Promise<Page<Row>> => {
    const given = fields.filter((field) => (query as Values)[field] !== undefined)
    return pageFrom(context.pageTokenKey, options.name, query, options.position, ({ cursor, limit }) =>
      statementFor(context.db, given, cursor?.direction ?? 'first').execute({
        ...values,
        ...query,
        cursorCreatedAt: cursor?.createdAt,
        cursorId: cursor?.id,
        pageLimit: limit,
      }),
    )
  }
}
