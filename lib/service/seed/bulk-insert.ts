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

type Definition = { table: string; name: string; definition: string }

/**
 * Runs work while the tables have neither indexes nor keys, and builds them again from what the database said they
 * were: sorting a million entries once is faster than placing each of them.
 */
export async function withoutIndexes(
  client: ClientBase,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows: indexes } = await client.query<Definition>(
    `select tablename as "table", indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as definition from pg_indexes
      where schemaname = 'service' and tablename = any($1)
        and not exists (select from pg_constraint where conname = indexname)`,
    [tables],
  )
  const foreignKeys = await readConstraints(client, tables, 'f')
  const primaryKeys = await readConstraints(client, tables, 'p')
  for (const { table, name } of [...foreignKeys, ...primaryKeys]) {
    await client.query(`alter table service."${table}" drop constraint "${name}"`)
  }
  for (const { name } of indexes) await client.query(`drop index service."${name}"`)
  await work()
  await client.query(`set local maintenance_work_mem = '256MB'`)
  for (const { definition } of indexes) await client.query(definition)
  for (const { table, name, definition } of [...primaryKeys, ...foreignKeys]) {
    await client.query(`alter table service."${table}" add constraint "${name}" ${definition}`)
  }
}

async function readConstraints(client: ClientBase, tables: readonly string[], type: 'f' | 'p'): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `select relname as "table", conname as name, pg_get_constraintdef(c.oid) as definition
       from pg_constraint c join pg_class on pg_class.oid = conrelid
      where contype = $1 and relnamespace = 'service'::regnamespace and relname = any($2)`,
    [type, tables],
  )
  return rows
}
