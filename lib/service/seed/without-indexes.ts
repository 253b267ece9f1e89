import type { ClientBase } from 'pg'

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
