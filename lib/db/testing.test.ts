import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from './connection.ts'
import { openTestDatabase } from './testing.ts'

const content = {
  name: 'two keys',
  write: async (db: Database) =>
    void (await db.execute(`insert into launch.key_fingerprints values ('one', '1'), ('two', '2')`)),
}

async function readKeys(db: Database): Promise<unknown[]> {
  return (await db.execute('select name, sha256 from launch.key_fingerprints')).rows
}

/** Opens a database, works with it, and opens the one of the next test. */
async function openAfter(work: (db: Database, databaseUrl: string) => Promise<unknown>) {
  const first = await openTestDatabase(content)
  const before = await readKeys(first.db)
  await work(first.db, first.databaseUrl)
  await first.close()
  const next = await openTestDatabase(content)
  onTestFinished(next.close)
  return { ...next, before, isSame: next.databaseUrl === first.databaseUrl }
}

const insertSession = `
  with member as (insert into console.staff (id, origin, name, email, role, created_at)
    values (gen_random_uuid(), 'demo', 'a', 'a', 'viewer', now()) returning id)
  insert into console.sessions (id, staff_id, created_at, expires_at) select id, id, now(), now() from member`
const insertEntry = `
  insert into console.audit_entries (number, at, act, outcome, previous_hash, hash) values (1, now(), 'a', 'done', '', '')`

test.each([
  ['nothing', 'select'],
  ['a new row', `insert into launch.key_fingerprints values ('three', '3')`],
  ['a changed row', `update launch.key_fingerprints set sha256 = '3' where name = 'one'`],
  ['a missing row', `delete from launch.key_fingerprints where name = 'one'`],
  ['no row', 'truncate launch.key_fingerprints'],
  ['a row that another one names', insertSession],
  ['a row that cannot be changed', insertEntry],
  ['a used sequence', `select nextval('service.request_log_id_seq')`],
])('a test that leaves %s leaves the next one what it began with', async (_, statement) => {
  const { db, before, isSame } = await openAfter((first) => first.execute(statement))
  expect(isSame).toBe(true)
  expect(await readKeys(db)).toEqual(before)
  const { rows } = await db.execute(sql`select nextval('service.request_log_id_seq')::int as id,
    (select count(*)::int from console.staff) + (select count(*)::int from console.audit_entries) as rows`)
  expect(rows).toEqual([{ id: 1, rows: 0 }])
})

test.each<[string, (db: Database, databaseUrl: string) => Promise<unknown>]>([
  ['other definitions', (db) => db.execute('alter table launch.key_fingerprints add more text')],
  ['other statistics', (db) => db.execute('analyze launch.key_fingerprints')],
  ['a session of its own', (_, databaseUrl) => connectUntilEnd(databaseUrl)],
])('a database with %s is not used again', async (_, work) => {
  const { db, before, isSame } = await openAfter(work)
  expect(isSame).toBe(false)
  expect(await readKeys(db)).toEqual(before)
})

test('a connection is handed on without its transaction, settings, locks and channels; a broken one is not', async () => {
  let pids: unknown[] = []
  const { db } = await openAfter(async (first) => {
    const [kept, broken] = await Promise.all([first.$client.connect(), first.$client.connect()])
    await kept
      .query('set lock_timeout = 7; listen changes; select pg_advisory_lock(1); begin; select 1 / 0')
      .catch(() => undefined)
    const { rows } = await broken.query('select pg_backend_pid() as pid')
    pids = rows
    kept.release()
    broken.release(true)
  })
  const { rows } =
    await db.execute(sql`select current_setting('lock_timeout') as limit, pg_try_advisory_lock(1) as locked,
    (select count(*)::int from pg_listening_channels()) as channels`)
  expect(rows).toEqual([{ limit: '0', locked: true, channels: 0 }])
  expect((await db.execute('select pid from pg_stat_activity')).rows).not.toContainEqual(pids[0])
})

async function connectUntilEnd(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
}
