import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Queryable } from './connection.ts'

/** Rows of one statement of `insertRows`. */
const atOnce = 5000

/** Inserts rows. A column that no row has gets its default; one that only some have is null in the others. */
export async function insertRows<Table extends PgTable>(
  db: Queryable,
  table: Table,
  rows: readonly Table['$inferInsert'][],
): Promise<void> {
  for (let start = 0; start < rows.length; start += atOnce) {
    const { given, from } = unnestRows(table, rows.slice(start, start + atOnce))
    const names = sql.join(
      given.map(({ name }) => sql.identifier(name)),
      sql`, `,
    )
    await db.execute(sql`insert into ${table} (${names}) select ${names} ${from}`)
  }
}

/**
 * The rows for `insert(table).select(…)`. A column that no row has gets its default, which is none for one that counts up. `computed`
 * columns are expressions over the others of their row, which is named `given`.
 */
export function selectRows<Table extends PgTable, Key extends keyof Table['$inferInsert'] = never>(
  table: Table,
  rows: readonly Omit<Table['$inferInsert'], Key>[],
  computed?: Record<Key, SQL>,
): SQL {
  const { given, from } = unnestRows(table, rows)
  const names = new Set(given.map(({ name }) => name))
  const selected = insertedColumns(table).map(([key, { name, default: initial }]) =>
    names.has(name)
      ? sql`given.${sql.identifier(name)}`
      : ((computed as Record<string, SQL> | undefined)?.[key] ?? sql`${initial ?? null}`),
  )
  return sql`select ${sql.join(selected, sql`, `)} ${from}`
}

function insertedColumns(table: PgTable): [string, PgColumn][] {
  return Object.entries(getTableColumns(table)).filter(([, { generated }]) => !generated)
}

/**
 * Rows as `from unnest(…) as given(…)`: one array for each column that some row has. The statement's text does not depend on the number of
 * rows; one with a parameter for each value takes twice the time.
 */
function unnestRows(table: PgTable, rows: readonly object[]): { given: PgColumn[]; from: SQL } {
  const columns = insertedColumns(table).flatMap(([key, column]) => {
    const values = (rows as readonly Record<string, unknown>[]).map((row) => row[key])
    return values.some((value) => value !== undefined) ? [{ column, values }] : []
  })
  const arrays = columns.map(({ column, values }) => {
    const driven = values.map((value) =>
      value === null || value === undefined ? null : column.mapToDriverValue(value),
    )
    return sql`${sql.param(driven)}::${sql.raw(column.getSQLType())}[]`
  })
  const given = columns.map(({ column }) => column)
  const names = given.map(({ name }) => sql.identifier(name))
  return { given, from: sql`from unnest(${sql.join(arrays, sql`, `)}) as given(${sql.join(names, sql`, `)})` }
}
