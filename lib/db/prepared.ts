import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Queryable } from './connection.ts'

/**
 * What belongs to a database or to one of its connections, made when it is first needed: a cache, or a statement with placeholders
 * and `.prepare(name)`, which PostgreSQL plans once a connection.
 */
export function perDatabase<Value, Db extends Queryable = Queryable>(make: (db: Db) => Value): (db: Db) => Value {
  const made = new WeakMap<Db, Value>()
  return (db) => {
    const cached = made.get(db)
    if (cached) return cached
    const value = make(db)
    made.set(db, value)
    return value
  }
}

/** Prepares a statement that is written out; `Row` is the type of its rows. */
export function preparedSql<Row>(
  name: string,
  statement: SQL,
): (db: Queryable, values?: Record<string, unknown>) => Promise<{ rows: Row[]; rowCount: number | null }> {
  const query = new PgDialect().sqlToQuery(statement)
  const build = perDatabase((db) => db._.session.prepareQuery(query, undefined, name, false))
  return async (db, values = {}) => (await build(db).execute(values)) as { rows: Row[]; rowCount: number | null }
}
