import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Database } from '#lib/db/connection.ts'
import { dayMs, minuteMs } from '#lib/shared/time.ts'
import { addCard } from '../testing-records.ts'
import { bearer, testService, type TestService } from '../testing.ts'

/** Tables that a snapshot leaves alone. */
const uncopied = ['used_tokens', 'rate_counts', 'request_log', 'webhook_attempts']

async function tablesOf(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class
      where relnamespace = 'service'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  return rows.map(({ name }) => name).filter((name) => !uncopied.includes(name))
}

const exampleValues: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: `'text with "quotes" and ümlaut'`,
  bigint: '7',
  integer: '7',
  numeric: '12345678.12345678',
  boolean: 'true',
  jsonb: `'{"list": [1, "two", null]}'`,
  bytea: `'\\x00ff'`,
  'timestamp with time zone': `'2026-02-28T12:00:00.123Z'`,
}

/** Inserts a row into a table that the seed leaves empty, so that every table has something to lose. */
async function fill(db: Database, table: string): Promise<void> {
  const { rows: found } = await db.execute(sql`select 1 from ${sql.raw(`service."${table}"`)} limit 1`)
  if (found.length > 0) return
  const { rows: columns } = await db.execute<{ name: string; type: string; isSerial: boolean }>(sql`
    select column_name as name, data_type as type, coalesce(column_default like 'nextval%', false) as "isSerial"
    from information_schema.columns where table_schema = 'service' and table_name = ${table}`)
  const given = columns.filter(({ isSerial }) => !isSerial)
  const names = given.map(({ name }) => `"${name}"`).join(', ')
  const values = given.map(({ type }) => exampleValues[type] ?? `no example of ${type}`).join(', ')
  await db.execute(sql.raw(`insert into service."${table}" (${names}) values (${values})`))
}

/** Every row of every table as text, in an order of its own. The clock follows real time and is compared by itself. */
async function contentsOf(db: Database): Promise<Record<string, string[]>> {
  const tables = (await tablesOf(db)).filter((name) => name !== 'clock')
  const read = tables.map(async (table) => {
    const { rows } = await db.execute<{ row: string }>(
      sql.raw(`select to_jsonb(r)::text as row from service."${table}" r order by 1`),
    )
    return [table, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

/** Logs are in no snapshot, and events are numbered on over a restore. */
async function sequencesOf(db: Database) {
  const { rows } = await db.execute(
    sql`select sequencename, last_value from pg_sequences
      where schemaname = 'service' and sequencename !~ '^(request_log|webhook_attempts|events)' order by 1`,
  )
  return rows
}

const nowOf = async (service: TestService) => Date.parse((await service.control('GET', '/clock')).json.now)

async function take(service: TestService, name: string): Promise<string> {
  const taken = await service.control('POST', '/snapshots', { name })
  expect(taken.status, taken.text).toBe(200)
  return taken.json.id
}

test('a snapshot brings every row of every table back, with sequences and clock, also of a table that is new', async () => {
  const service = await testService({ seeded: 12 })
  const { db } = service.service
  await db.execute(sql`create table service.later (id bigserial primary key, account uuid references service.card_accounts (id), 
    amount numeric(24, 8) not null, doubled numeric, at timestamptz(3) default clock_timestamp())`)
  await db.execute(sql`insert into service.later (account, amount) select id, 1.5 from service.card_accounts`)
  const target = await addCard(db)
  await service.control('POST', '/clock', { advance: 'P3D' })
  await service.call('lockCard', { body: target, headers: { 'idempotency-key': 'before' } })
  for (const table of await tablesOf(db)) await fill(db, table)
  // A lease ends with the attempt that holds it, so none is restored.
  await db.execute(sql`update service.webhooks set lease_id = null, leased_until = null`)
  const tables = await tablesOf(db)
  const before = { contents: await contentsOf(db), sequences: await sequencesOf(db), now: await nowOf(service) }
  expect(tables.filter((table) => table !== 'clock' && before.contents[table]?.length === 0)).toEqual([])

  const id = await take(service, 'Before the reset')
  expect((await service.control('POST', '/reset')).status).toBe(200)
  await service.control('POST', '/clock', { advance: 'P40D' })
  expect((await contentsOf(db)).events).not.toEqual(before.contents.events)
  const restored = await service.control('POST', '/snapshots/restore', { id })

  expect(restored.status, restored.text).toBe(200)
  expect(await contentsOf(db)).toEqual(before.contents)
  expect(await sequencesOf(db)).toEqual(before.sequences)
  expect((await nowOf(service)) - before.now).toBeLessThan(minuteMs)
  const again = await service.call('lockCard', { body: target, headers: { 'idempotency-key': 'before' } })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  await expect(
    db.execute(sql`insert into service.later (account, amount) values (gen_random_uuid(), 1)`),
  ).rejects.toThrow()
})

test('a clock that a snapshot put back before the real time moves on from there', async () => {
  const service = await testService({ seeded: 1 })
  const { db } = service.service
  const id = await take(service, 'Yesterday')
  await db.execute(
    sql.raw(`do $$ declare about text := obj_description('service_snapshot_${id}'::regnamespace);
    begin execute format('comment on schema service_snapshot_${id} is %L',
      jsonb_set(about::jsonb, '{now}', to_jsonb('${new Date(Date.now() - dayMs).toISOString()}'::text))); end $$`),
  )
  await service.control('POST', '/snapshots/restore', { id })
  expect(Date.now() - (await nowOf(service))).toBeGreaterThan(dayMs - minuteMs)
  await service.control('POST', '/clock', { advance: 'PT1H' })
  const behindMs = Date.now() - (await nowOf(service))
  expect(behindMs).toBeGreaterThan(dayMs - 2 * 60 * minuteMs)
  expect(behindMs).toBeLessThan(dayMs - 50 * minuteMs)
})

test('keys made after the snapshot stay valid, and a used token stays used', async () => {
  const service = await testService({ seeded: 1 })
  const id = await take(service, 'Keys')
  const body = { advance: 'PT1S' }
  const authorization = await bearer(service.caller, 'POST', '/service/control/clock', JSON.stringify(body))
  expect((await service.control('POST', '/clock', body, { authorization })).status).toBe(200)
  await service.service.db.execute(sql`update service.access_keys set name = 'renamed'`)
  expect((await service.control('POST', '/snapshots/restore', { id })).status).toBe(200)
  expect((await service.control('POST', '/clock', body, { authorization })).status).toBe(401)
  const { rows } = await service.service.db.execute(sql`select name from service.access_keys`)
  expect(rows).toEqual([{ name: 'renamed' }])
})

test('snapshots are listed newest first, survive a reset and go one by one; wrong names and ids are refused', async () => {
  const service = await testService({ seeded: 2 })
  const [first, second] = [await take(service, 'First'), await take(service, 'Second')]
  await service.control('POST', '/reset')
  const { snapshots } = (await service.control('GET', '/snapshots')).json
  expect(snapshots).toMatchObject([
    { id: second, name: 'Second', cardAccounts: 2 },
    { id: first, name: 'First', cardAccounts: 2 },
  ])
  expect(snapshots[0]).not.toHaveProperty('sequences')
  for (const name of ['Second', '', ' ', 'x'.repeat(101), 7]) {
    expect(await service.control('POST', '/snapshots', { name })).toMatchObject({ status: 400 })
  }
  const left = await service.control('DELETE', `/snapshots?id=${first}`)
  expect(left.json.snapshots).toMatchObject([{ id: second }])
  for (const id of [first, '0'.repeat(16)]) {
    expect(await service.control('DELETE', `/snapshots?id=${id}`)).toMatchObject({ status: 404 })
    expect(await service.control('POST', '/snapshots/restore', { id })).toMatchObject({ status: 404 })
  }
  for (const id of ['x', `0; drop schema service`, '']) {
    expect(await service.control('POST', '/snapshots/restore', { id })).toMatchObject({ status: 400 })
  }
})

test('a snapshot of tables with other columns is refused, and nothing changes', async () => {
  const service = await testService({ seeded: 2 })
  const { db } = service.service
  const id = await take(service, 'Old version')
  await db.execute(sql`alter table service.fees add column rounding text`)
  const before = await contentsOf(db)
  const refused = await service.control('POST', '/snapshots/restore', { id })
  expect(refused).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  expect(refused.json.message).toContain('another version')
  expect(await contentsOf(db)).toEqual(before)
})

test('a snapshot taken amid requests is consistent: balance and entries agree after the restore', async () => {
  const service = await testService({ seeded: 3 })
  const { db } = service.service
  const { rows } = await db.execute<{ id: string }>(sql`select id from service.card_accounts limit 1`)
  const credit = () => service.control('POST', '/credits', { cardAccountId: rows[0]?.id, intent: 'topup', amount: 1 })
  const [id] = await Promise.all([take(service, 'Amid'), ...Array.from({ length: 20 }, credit)])
  expect((await service.control('POST', '/snapshots/restore', { id })).status).toBe(200)
  const { rows: wrong } = await db.execute(sql`
    select a.id from service.card_accounts a left join service.card_account_transactions t
      on t.card_account_id = a.id and t.status in ('pending', 'posted')
    group by a.id having a.balance <> a.opening_balance
      + coalesce(sum(case t.entry_type when 'DEBIT' then t.amount else -t.amount end), 0)`)
  expect(wrong).toEqual([])
})
