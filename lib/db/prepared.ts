import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Queryable } from './connection.ts'

/**
 * A statement that is built once a connection and planned once by PostgreSQL: `build` makes it with placeholders and
 * `.prepare(name)`.
 */
export function prepared<Statement>(build: (db: Queryable) => Statement): (db: Queryable) => Statement {
  const built = new WeakMap<Queryable, Statement>()
  return (db) => {
    const cached = built.get(db)
    if (cached) return cached
    const statement = build(db)
    built.set(db, statement)
    return statement
  }
}

/** Prepares a statement that is written out; `Row` is the type of its rows. */
export function preparedSql<Row>(
  name: string,
  statement: SQL,
): (db: Queryable, values?: Record<string, unknown>) => Promise<{ rows: Row[]; rowCount: number | null }> {
  const query = new PgDialect().sqlToQuery(statement)
  const build = prepared((db) => db._.session.prepareQuery(query, undefined, name, false))
  return async (db, values = {}) => (await build(db).execute(values)) as { rows: Row[]; rowCount: number | null }
}
