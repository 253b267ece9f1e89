import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { hourMs } from '#lib/shared/time.ts'
import type { Database } from './connection.ts'
import { migrateDatabase } from './migrate.ts'
import { openTestDatabase, testDatabase } from './testing.ts'

test('the migrations make both schemas', async () => {
  const db = await testDatabase()
  const { rows } = await db.execute(
    sql`select count(*)::int as tables from information_schema.tables where table_schema = 'service'`,
  )
  expect(rows[0]).toEqual({ tables: expect.any(Number) })
  expect(Number(rows[0]?.tables)).toBeGreaterThan(10)
})

test('every sequence is written to the log: an unlogged one is unreadable on a standby that was promoted', async () => {
  const db = await testDatabase()
  const { rows } = await db.execute(
    sql`select oid::regclass::text as name from pg_class where relkind = 'S' and relpersistence <> 'p'`,
  )
  expect(rows).toEqual([])
})

const rollBack = readFileSync(path.join(import.meta.dirname, '../../docs/deploy/roll-back-partitions.sql'), 'utf8')

/** Columns, keys and indexes of the partitioned tables. */
async function definitionsOf(db: Database) {
  const { rows } = await db.execute(sql`
    with tables as (select unnest(array['console.inbox_events', 'service.events']::regclass[]) as id)
    select id::text, attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull as definition
      from tables join pg_attribute on attrelid = id where attnum > 0
    union all select id::text, pg_get_indexdef(indexrelid) from tables join pg_index on indrelid = id
    union all select id::text, conname || pg_get_constraintdef(pg_constraint.oid) from tables join pg_constraint on conrelid = id
    union all select id::text, 'sequence ' || pg_get_serial_sequence(id::text, 'position') from tables
    order by 1, 2`)
  return rows
}

test('tables with rows are partitioned and made plain again without losing one, and deduplicate before and after', async () => {
  const { db, databaseUrl, close } = await openTestDatabase()
  onTestFinished(close)
  const definitions = await definitionsOf(db)
  await db.execute(rollBack)
  const store = (id: string, receivedAt: Date) =>
    db.execute(sql`
      insert into console.inbox_events (environment, id, event, body, is_known, received_at, applied_at, next_attempt_at)
      values ('sandbox', ${id}, 'ping', '{}', true, ${receivedAt.toISOString()}, now(), now())
      on conflict (environment, id) do update set duplicates = inbox_events.duplicates + 1`)
  const now = new Date()
  const ages = [40 * 24, 8 * 24, 0, -400 * 24]
  for (const age of [...ages, 0]) await store(`${age} h`, new Date(now.getTime() - age * hourMs))
  await db.execute(
    sql`insert into service.events (id, event, data, time) values (gen_random_uuid(), 'ping', '{}', now())`,
  )
  await db.execute(sql`grant select on console.inbox_events to pg_monitor`)
  const rowsOf = async () => {
    const { rows } = await db.execute<{ row: string }>(sql`
      select to_jsonb(e)::text as row from console.inbox_events e union all select to_jsonb(e)::text from service.events e order by 1`)
    return rows.map(({ row }) => row)
  }
  const before = await rowsOf()
  expect(before).toHaveLength(ages.length + 1)

  await migrateDatabase(databaseUrl)
  expect(await rowsOf()).toEqual(before)
  expect(await definitionsOf(db)).toEqual(definitions)
  const { rows: partitions } = await db.execute(sql`
    select tableoid::regclass::text as name, count(*)::int as rows from console.inbox_events group by 1 order by 1`)
  expect(partitions).toEqual([
    { name: 'console.inbox_events_before', rows: 3 },
    { name: 'console.inbox_events_default', rows: 1 },
  ])
  const { rows: ids } = await db.execute(sql`select id from console.inbox_ids order by received_at`)
  expect(ids).toEqual(ages.map((age) => ({ id: `${age} h` })))
  const { rows: granted } = await db.execute(
    sql`select has_table_privilege('pg_monitor', 'console.inbox_events', 'select') as may`,
  )
  expect(granted).toEqual([{ may: true }])

  await db.execute(rollBack)
  expect(await rowsOf()).toEqual(before)
  await store('0 h', now)
  expect(await rowsOf()).toHaveLength(before.length)
})
