import type { ClientBase } from 'pg'
import { isTable } from '../snapshots.ts'
import { inSchema } from './schema-view.ts'

/**
 * Makes the service's tables, empty, in another schema: from what the database says they are, which takes a third of the time of all
 * migrations. Their sequences are their own. Events are not partitioned: a sandbox doesn't live for a month.
 */
export async function createTables(client: ClientBase, schema: string): Promise<void> {
  const { rows: tables } = await client.query<{ name: string; isUnlogged: boolean }>(
    `select relname as name, relpersistence = 'u' as "isUnlogged" from pg_class
     where relnamespace = 'service'::regnamespace and ${isTable}`,
  )
  const { rows: serials } = await client.query<{ table: string; column: string; value: string }>(
    `select relname as table, attname as column, pg_get_expr(adbin, adrelid) as value
     from pg_attrdef join pg_class on pg_class.oid = adrelid join pg_attribute on attrelid = adrelid and attnum = adnum
     where relnamespace = 'service'::regnamespace and ${isTable} and pg_get_expr(adbin, adrelid) like 'nextval(%'`,
  )
  const { rows: foreignKeys } = await client.query<{ table: string; name: string; definition: string }>(
    `select relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
     from pg_constraint join pg_class on pg_class.oid = conrelid
     where contype = 'f' and relnamespace = 'service'::regnamespace and conparentid = 0`,
  )
  await client.query(
    [
      ...tables.map(
        ({ name, isUnlogged }) =>
          `create ${isUnlogged ? 'unlogged ' : ''}table ${schema}."${name}" (like service."${name}" including all)`,
      ),
      ...serials.flatMap(({ table, column, value }) => [
        `create sequence ${schema}.${sequenceIn(value)} owned by ${schema}."${table}"."${column}"`,
        `alter table ${schema}."${table}" alter column "${column}" set default ${inSchema(value, schema)}`,
      ]),
      ...foreignKeys.map(
        ({ table, name, definition }) =>
          `alter table ${schema}."${table}" add constraint "${name}" ${inSchema(definition, schema)}`,
      ),
    ].join(';\n'),
  )
}

/** The sequence of a default such as `nextval('service.faults_id_seq'::regclass)`. */
function sequenceIn(value: string): string {
  const [, name] = /'service\.(\w+)'/.exec(value) ?? []
  if (name === undefined) throw new Error(`the default ${value} names no sequence of the service`)
  return name
}
