import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Queryable } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/per-database.ts'

/** Prepares a statement that is written out; `Row` is the type of its rows. */
export function preparedSql<Row>(
  name: string,
  statement: SQL,
): (db: Queryable, values?: Record<string, unknown>) => Promise<{ rows: Row[]; rowCount: number | null }> {
  const query = new PgDialect().sqlToQuery(statement)
  const build = perDatabase((db) => db._.session.prepareQuery(query, undefined, name, false))
  return async (db, values = {}) => (await build(db).execute(values)) as { rows: Row[]; rowCount: number | null }
}
