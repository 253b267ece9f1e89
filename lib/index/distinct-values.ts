import { getTableName, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { indexDatabase } from '#lib/db/connection.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import type { Environment } from '#lib/shared/routes.ts'

/**
 * The values of a column in an environment's rows, as a JSON array. An index on environment and column has to be there: each value is
 * found by one step along it, few among many rows.
 */
export function distinctValues(table: PgTable, environment: Environment, column: string, condition = sql``): SQL {
  const name = sql.identifier(column)
  const next = (after: SQL) => sql`(select ${name} as value from ${table}
    where environment = ${environment} ${condition} and ${name} is not null ${after} order by ${name} limit 1)`
  return sql`(with recursive found as (
      select * from ${next(sql``)} first
      union all select step.value from found, lateral ${next(sql`and ${name} > found.value`)} step)
    select coalesce(jsonb_agg(value), '[]') from found)`
}

/** The values that occur of some columns, as filters: each column under a name of its own. */
export async function readOccurring<Name extends string>(
  table: PgTable,
  environment: Environment,
  columns: Readonly<Record<Name, string>>,
): Promise<Record<Name, string[]>> {
  const key = `occurring ${getTableName(table)} ${environment}`
  return cachedByCost(key, async () => {
    const values = Object.entries<string>(columns).map(
      ([name, column]) => sql`${distinctValues(table, environment, column)} as ${sql.identifier(name)}`,
    )
    const { rows } = await indexDatabase().execute<Record<Name, string[]>>(sql`select ${sql.join(values, sql`, `)}`)
    return rows[0] ?? ({} as Record<Name, string[]>)
  })
}
