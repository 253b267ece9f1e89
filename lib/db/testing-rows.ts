import type { Client } from 'pg'

/** The rows that a test database begins with, and where its sequences stand. */
export type Rows = { tables: Record<string, { text: string; count: number }>; sequences: Record<string, number> }

/** Rows as a database has them, and the first transaction that may have changed them since. */
export type Filled = { rows: Rows; since: number }

export const noRows: Rows = { tables: {}, sequences: {} }

/** Definitions that change leave a row here; a database that has one is not used again. */
export const changesOfDefinitions = `
  create schema testing;
  create table testing.changes (tag text);
  create function testing.note_change() returns event_trigger language plpgsql as
    $$ begin insert into testing.changes values (tg_tag); end $$;
  create event trigger note_change on ddl_command_end execute function testing.note_change();`

/**
 * Gives a database back the rows that it began with, or those of `wanted`. Returns null where it cannot: its definitions or
 * its statistics changed, or somebody is still connected but `connections`.
 */
export async function restoreRows(
  client: Client,
  connections: number,
  { rows: previous, since }: Filled,
  wanted: Rows,
): Promise<Filled | null> {
  const state = await readState(client)
  if (state.isAltered || state.sessions > connections) return null
  const same = previous === wanted ? await unchanged(client, previous, since) : []
  const emptied = withReferencing(
    state.tables.filter((table) => !same.includes(table)),
    state.references,
  )
  const filled = Object.entries(wanted.tables).filter(
    ([table]) => emptied.includes(table) || !state.tables.includes(table),
  )
  await client.query('begin; set local session_replication_role = replica')
  if (emptied.length > 0) await client.query(`truncate ${emptied.join(', ')}`)
  for (const [table, { text }] of filled) {
    // A plan a table for each connection.
    const name = `fill ${table}`
    await client.query({ name, text: `insert into ${table} select * from unnest($1::${table}[])`, values: [text] })
  }
  for (const name of new Set([...Object.keys(state.sequences), ...Object.keys(wanted.sequences)])) {
    const value = wanted.sequences[name]
    if (value !== state.sequences[name]) {
      await client.query('select setval($1::regclass, $2, $3)', [name, value ?? 1, value !== undefined])
    }
  }
  await client.query('commit')
  return { rows: wanted, since: await nextTransaction(client) }
}

/** Reads what was written into an empty database. */
export async function readRows(client: Client): Promise<Filled> {
  const { tables, sequences } = await readState(client)
  const read: Rows = { tables: {}, sequences }
  for (const table of tables) {
    const { rows } = await client.query<{ text: string; count: number }>(
      `select coalesce(array_agg(t)::text, '{}') as text, count(*)::int as count from ${table} t`,
    )
    if (rows[0]) read.tables[table] = rows[0]
  }
  return { rows: read, since: await nextTransaction(client) }
}

type State = {
  sessions: number
  isAltered: boolean
  /** Those that something was written to since they were emptied. */
  tables: string[]
  /** The last value of those that gave one. */
  sequences: Record<string, number>
  /** Tables whose rows name rows of a table. */
  references: { from: string; to: string }[]
}

const ownSchemas = `relnamespace in ('service'::regnamespace, 'console'::regnamespace, 'launch'::regnamespace)`

async function readState(client: Client): Promise<State> {
  const { rows } = await client.query<State>({
    name: 'state',
    text: `select
      (select count(*)::int from pg_stat_activity where datname = current_database() and backend_type = 'client backend')
        as sessions,
      exists (select from testing.changes) or exists (select from pg_statistic where starelid >= 16384) as "isAltered",
      (select coalesce(json_agg(oid::regclass::text), '[]') from pg_class
        where relkind = 'r' and ${ownSchemas} and pg_relation_size(oid) > 0) as tables,
      (select coalesce(json_object_agg(seqrelid::regclass::text, pg_sequence_last_value(seqrelid)), '{}')
        from pg_sequence where pg_sequence_last_value(seqrelid) is not null) as sequences,
      (select coalesce(json_agg(json_build_object('from', conrelid::regclass::text, 'to', confrelid::regclass::text)), '[]')
        from pg_constraint where contype = 'f') as "references"`,
  })
  if (!rows[0]) throw new Error('a database has a state')
  return rows[0]
}

/** The tables whose rows are exactly those that were put there. */
async function unchanged(client: Client, { tables }: Rows, since: number): Promise<string[]> {
  const counts = Object.keys(tables).map(
    (table) =>
      `select '${table}' as name, count(*)::int as count, coalesce(max(xmin::text::bigint), 0)::int as newest from ${table}`,
  )
  if (counts.length === 0) return []
  const { rows } = await client.query<{ name: string; count: number; newest: number }>({
    text: counts.join(' union all '),
  })
  return rows
    .filter(({ name, count, newest }) => count === tables[name]?.count && newest < since)
    .map(({ name }) => name)
}

/** PostgreSQL empties a table only together with those that refer to it. */
function withReferencing(tables: string[], references: State['references']): string[] {
  const all = new Set(tables)
  for (const table of all) for (const { from, to } of references) if (to === table) all.add(from)
  return [...all]
}

async function nextTransaction(client: Client): Promise<number> {
  const { rows } = await client.query<{ xid: number }>('select pg_current_xact_id()::text::int as xid')
  return rows[0]?.xid ?? 0
}
