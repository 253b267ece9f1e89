import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { Database } from '#lib/db/connection.ts'
import { inUnlimitedTransaction } from '#lib/db/transaction.ts'
import { ApiError } from './api-error.ts'
import { withClockLock } from './clock-lock.ts'
import { offsetAt } from './clock.ts'
import { lockTables } from './lock-tables.ts'
import { serviceSchema } from './sandboxes/schema-view.ts'
import { withoutIndexes } from './seed/without-indexes.ts'

/** A copy of the sandbox to return to. `now` is the sandbox clock in it; `createdAt` is real time. */
export type Snapshot = {
  id: string
  name: string
  createdAt: string
  now: string
  cardAccounts: number
  cards: number
  transactions: number
  sizeBytes: number
}

/** The comment on a snapshot's schema: everything but the rows. */
type Description = Omit<Snapshot, 'id' | 'sizeBytes'> & { sequences: Sequences }
type Sequences = Record<string, string | null>
type Described = { snapshot: Snapshot; sequences: Sequences }

const mostSnapshots = 20

/** Each snapshot is a schema of its own with a copy of every table of the service. */
const snapshotPrefix = (db: Database) => `${serviceSchema(db)}_snapshot_`

/**
 * Tables that no snapshot has: used tokens must stay used, counts of requests end with their minute, and the logs of requests and
 * deliveries show what led to a restore.
 */
const uncopied = ['used_tokens', 'rate_counts', 'request_log', 'webhook_attempts']
/** Rows of these are added back and never removed: callers and verifiers of deliveries keep what they have. */
const addedBack = ['access_keys', 'service_keys']

/** Never lowered: an event that comes after a restore has a later position than each that anybody has read. */
const eventSequence = 'events_position_seq'

const realMs = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** The snapshots, the newest first. */
export async function listSnapshots(db: Database): Promise<Snapshot[]> {
  return (await listSnapshotDescriptions(db.$client, snapshotPrefix(db))).map(({ snapshot }) => snapshot)
}

/**
 * Copies the sandbox as it is at one instant. Due work pauses meanwhile, requests do not. Throws `INVALID_PARAMETERS` for a
 * name that another snapshot has, and where there are as many as may be.
 */
export async function takeSnapshot(db: Database, name: string): Promise<Snapshot> {
  const id = randomBytes(8).toString('hex')
  await exclusively(
    db,
    async (client) => {
      const others = await listSnapshotDescriptions(client, snapshotPrefix(db))
      if (others.some(({ snapshot }) => snapshot.name === name)) refuse('name: is the name of another snapshot')
      if (others.length >= mostSnapshots) refuse(`name: there are ${mostSnapshots} snapshots; delete one first`)
      const schema = `${snapshotPrefix(db)}${id}`
      await client.query(`create schema ${schema}`)
      for (const table of await listCopiedTables(client)) {
        await client.query(`create table ${schema}."${table}" as table service."${table}"`)
      }
      await describe(client, schema, name)
    },
    { isolationLevel: 'repeatable read' },
  )
  const taken = (await listSnapshots(db)).find((snapshot) => snapshot.id === id)
  if (!taken) throw new Error('the snapshot was deleted while it was taken')
  return taken
}

/**
 * Puts the sandbox back as it was in a snapshot, its clock, faults, modes, webhooks and queues included, for everybody at one
 * moment. Throws `NOT_FOUND` for an unknown id, `INVALID_PARAMETERS` where the tables have other columns than the snapshot's.
 */
export async function restoreSnapshot(db: Database, id: string): Promise<Snapshot> {
  return exclusively(db, async (client) => {
    const described = await requireSnapshot(client, snapshotPrefix(db), id)
    const schema = `${snapshotPrefix(db)}${id}`
    await putBack(client, schema, described)
    for (const table of addedBack) await copyRows(client, schema, table, 'on conflict do nothing')
    return described.snapshot
  })
}

/**
 * Fills the tables that `client` means by `service` with a snapshot of `db`, in its transaction. Access keys, the service's own keys
 * and webhooks stay out. Throws `NOT_FOUND` where no snapshot has that id or name.
 */
export async function fillFromSnapshot(client: ClientBase, db: Database, idOrName: string): Promise<void> {
  const found = await listSnapshotDescriptions(client, snapshotPrefix(db))
  const described =
    found.find(({ snapshot }) => snapshot.id === idOrName) ?? found.find(({ snapshot }) => snapshot.name === idOrName)
  if (!described) throw new ApiError('NOT_FOUND', `from: there is no snapshot ${idOrName}; seed is the seed`)
  await putBack(client, `${snapshotPrefix(db)}${described.snapshot.id}`, described)
  await client.query('truncate service.webhooks, service.webhook_messages')
}

/** Replaces the rows of all tables but those that are added back, the sequences and the clock by those of a snapshot. */
async function putBack(client: ClientBase, schema: string, { sequences, snapshot }: Described): Promise<void> {
  const tables = await listCopiedTables(client)
  await requireSameColumns(client, schema)
  const replaced = tables.filter((table) => !addedBack.includes(table))
  const names = replaced.map((table) => `service."${table}"`)
  await lockTables(client, names)
  await client.query(`truncate ${names.join(', ')}`)
  await withoutIndexes(client, replaced, async () => {
    for (const table of replaced) await copyRows(client, schema, table)
  })
  for (const [name, lastValue] of Object.entries(sequences)) {
    const last = name === eventSequence ? 'greatest($2::bigint, last_value)' : '$2::bigint'
    await client.query(
      `select setval('service."${name}"'::regclass, coalesce(${last}, start_value), ${last} is not null)
       from pg_sequences where schemaname = 'service' and sequencename = $1`,
      [name, lastValue],
    )
  }
  // A lease of the snapshot belongs to an attempt that ended long ago.
  await client.query('update service.webhooks set lease_id = null, leased_until = null')
  await client.query(
    `insert into service.clock (id, offset_ms) values (1, $1::bigint - ${realMs})
     on conflict (id) do update set offset_ms = excluded.offset_ms`,
    [Date.parse(snapshot.now)],
  )
  await client.query(`analyze ${names.join(', ')}`)
}

/** Throws `NOT_FOUND` for an unknown id. */
export async function deleteSnapshot(db: Database, id: string): Promise<void> {
  await exclusively(db, async (client) => {
    await requireSnapshot(client, snapshotPrefix(db), id)
    await client.query(`drop schema ${snapshotPrefix(db)}${id} cascade`)
  })
}

/** Runs work in one transaction while no due work is performed and no other snapshot or reset is under way. */
function exclusively<Value>(
  db: Database,
  work: (client: ClientBase) => Promise<Value>,
  options?: { isolationLevel: 'repeatable read' },
): Promise<Value> {
  return withClockLock(db, () => inUnlimitedTransaction(db, work, options))
}

function refuse(message: string): never {
  throw new ApiError('INVALID_PARAMETERS', message)
}

async function requireSnapshot(client: ClientBase, prefix: string, id: string): Promise<Described> {
  const found = (await listSnapshotDescriptions(client, prefix)).find(({ snapshot }) => snapshot.id === id)
  if (!found) throw new ApiError('NOT_FOUND', 'id: there is no such snapshot')
  return found
}

/** The schemas that hold snapshots. */
export async function listSnapshotSchemas(db: Database): Promise<string[]> {
  return (await listSnapshotDescriptions(db.$client, snapshotPrefix(db))).map(
    ({ snapshot }) => `${snapshotPrefix(db)}${snapshot.id}`,
  )
}

async function listSnapshotDescriptions(client: Pick<ClientBase, 'query'>, prefix: string): Promise<Described[]> {
  const { rows } = await client.query<{ id: string; about: string; sizeBytes: string }>(
    `select substr(nspname, length($1) + 1) as id, obj_description(namespace.oid, 'pg_namespace') as about,
       (select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class
         where relnamespace = namespace.oid and relkind = 'r') as "sizeBytes"
     from pg_namespace namespace where starts_with(nspname, $1)`,
    [prefix],
  )
  return rows
    .map(({ id, about, sizeBytes }) => {
      const { sequences, ...described } = JSON.parse(about) as Description
      return { snapshot: { id, ...described, sizeBytes: Number(sizeBytes) }, sequences }
    })
    .toSorted((one, other) => other.snapshot.createdAt.localeCompare(one.snapshot.createdAt))
}

async function describe(client: ClientBase, schema: string, name: string): Promise<void> {
  const { rows } = await client.query<Record<'nowMs' | 'cardAccounts' | 'cards' | 'transactions', string>>(
    `select ${realMs} + ${offsetAt(realMs)} as "nowMs",
       (select count(*) from ${schema}.card_accounts) as "cardAccounts",
       (select count(*) from ${schema}.cards) as cards,
       (select count(*) from ${schema}.card_account_transactions) as transactions`,
  )
  const sequences = await client.query<{ name: string; lastValue: string | null }>(
    `select sequencename as name, last_value as "lastValue" from pg_sequences
     where schemaname = 'service' and not exists (
       select from unnest($1::text[]) as uncopied where starts_with(sequencename, uncopied || '_')
     )`,
    [uncopied],
  )
  const description: Description = {
    name,
    createdAt: new Date().toISOString(),
    now: new Date(Number(rows[0]?.nowMs)).toISOString(),
    cardAccounts: Number(rows[0]?.cardAccounts),
    cards: Number(rows[0]?.cards),
    transactions: Number(rows[0]?.transactions),
    sequences: Object.fromEntries(sequences.rows.map((row) => [row.name, row.lastValue])),
  }
  // By a parameter: in a sandbox of its own, the text of a statement has the name of another schema for `service`.
  await client.query(`select set_config('carddesk.snapshot', $1, true)`, [JSON.stringify(description)])
  await client.query(
    `do $$ begin execute format('comment on schema ${schema} is %L', current_setting('carddesk.snapshot')); end $$`,
  )
}

/** Partitions are copied with their table. */
export const isTable = `relkind in ('r', 'p') and not relispartition`

/** Every table of the service whose rows a snapshot has, by name. */
async function listCopiedTables(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'service'::regnamespace and ${isTable} and relname <> all($1) order by 1`,
    [uncopied],
  )
  return rows.map(({ name }) => name)
}

async function requireSameColumns(client: ClientBase, schema: string): Promise<void> {
  if (!(await hasSameColumns(client, schema))) {
    refuse('id: the snapshot was taken by another version of the sandbox; delete it')
  }
}

/** Whether the tables of a schema have the columns of the service's. */
export async function hasSameColumns(client: Pick<ClientBase, 'query'>, schema: string): Promise<boolean> {
  const [own, copied] = [await readColumns(client, 'service'), await readColumns(client, schema)]
  return JSON.stringify(own) === JSON.stringify(copied)
}

async function readColumns(client: Pick<ClientBase, 'query'>, schema: string): Promise<[string, string][]> {
  const { rows } = await client.query<{ table: string; columns: string }>(
    `select relname as table, string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod), ', '
       order by attname) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = '${schema}'::regnamespace and ${isTable} and attnum > 0 and not attisdropped
       and relname <> all($1)
     group by relname order by relname`,
    [uncopied],
  )
  return rows.map(({ table, columns }) => [table, columns])
}

async function copyRows(client: ClientBase, schema: string, table: string, onConflict = ''): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = 'service."${table}"'::regclass and attnum > 0 and not attisdropped`,
  )
  const columns = rows[0]?.columns ?? ''
  await client.query(
    `insert into service."${table}" (${columns}) select ${columns} from ${schema}."${table}" ${onConflict}`,
  )
}
