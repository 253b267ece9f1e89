import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { ClientBase } from 'pg'

const rowsPerStatement = 5000

/**
 * Inserts rows column by column (`unnest` of one array a column), which a million rows take in seconds. Column defaults
 * are not applied: a row's missing value is null, and a column that no row has is left to its default.
 */
export async function insertRows<Table extends PgTable>(
  client: ClientBase,
  table: Table,
  rows: readonly Table['$inferInsert'][],
): Promise<void> {
  const { schema } = getTableConfig(table)
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const batch: readonly Record<string, unknown>[] = rows.slice(start, start + rowsPerStatement)
    const columns = Object.entries(getTableColumns(table)).filter(([key]) =>
      batch.some((row) => row[key] !== undefined),
    )
    const names = columns.map(([, column]) => `"${column.name}"`).join(', ')
    const arrays = columns.map(([, column], index) => `$${index + 1}::${column.getSQLType()}[]`).join(', ')
    const values = columns.map(([key, column]) =>
      arrayText(
        column,
        batch.map((row) => row[key]),
      ),
    )
    await client.query(
      `insert into "${schema}"."${getTableName(table)}" (${names}) select * from unnest(${arrays})`,
      values,
    )
  }
}

/** An array in PostgreSQL's own text form, every element quoted. */
function arrayText(column: PgColumn, values: readonly unknown[]): string {
  return `{${values.map((value) => elementText(column, value)).join(',')}}`
}

const mustBeEscaped = /["\\]/

function elementText(column: PgColumn, value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  const driven: unknown = column.mapToDriverValue(value)
  const text = Buffer.isBuffer(driven) ? `\\x${driven.toString('hex')}` : String(driven)
  return mustBeEscaped.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`
}
