import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

/**
 * The rows for `insert(table).select(…)`: one array for each column. The statement's text does not depend on the number of rows; one with a
 * parameter for each value takes twice the time. A column that no row has gets its default. `computed` columns are expressions over the
 * others of their row, which is named `given`.
 */
export function selectRows<Table extends PgTable, Key extends keyof Table['$inferInsert'] = never>(
  table: Table,
  rows: readonly Omit<Table['$inferInsert'], Key>[],
  computed?: Record<Key, SQL>,
): SQL {
  const columns = Object.entries(getTableColumns(table)).flatMap(([key, column]) => {
    if (column.generated) return []
    const values = (rows as readonly Record<string, unknown>[]).map((row) => row[key])
    const isGiven = values.some((value) => value !== undefined)
    const expression = (computed as Record<string, SQL> | undefined)?.[key] ?? sql`${column.default ?? null}`
    return { column, name: sql.identifier(column.name), values, isGiven, expression }
  })
  const given = columns.filter(({ isGiven }) => isGiven)
  const arrays = given.map(({ column, values }) => {
    const driven = values.map((value) =>
      value === null || value === undefined ? null : column.mapToDriverValue(value),
    )
    return sql`${sql.param(driven)}::${sql.raw(column.getSQLType())}[]`
  })
  const names = given.map(({ name }) => name)
  const selected = columns.map(({ name, isGiven, expression }) => (isGiven ? sql`given.${name}` : expression))
  return sql`select ${sql.join(selected, sql`, `)} from unnest(${sql.join(arrays, sql`, `)}) as given(${sql.join(names, sql`, `)})`
}
