import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testDatabase } from './testing.ts'

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

test('no index puts absent values last where there are none: a list in descending order could not be read from it', async () => {
  const db = await testDatabase()
  const { rows } = await db.execute(sql`
    select i.indexrelid::regclass::text as name from pg_index i
    cross join lateral unnest(i.indkey::int2[], i.indoption::int2[]) as part(number, option)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = part.number and a.attnotnull
    where part.option & 3 = 1`)
  expect(rows).toEqual([])
})

test('every text that lists are searched by has an index of its parts', async () => {
  const db = await testDatabase()
  const { rows } = await db.execute(sql`
    select c.table_name as name from information_schema.columns c
    where c.table_schema = 'console' and c.column_name = 'search_text' and c.table_name like 'index\\_%' and not exists (
      select from pg_indexes i where i.schemaname = 'console' and i.tablename = c.table_name
        and i.indexdef like '%gin (search_text %gin_trgm_ops)')`)
  expect(rows).toEqual([])
})

test('a process of the version before reads and writes the index by the old names of its tables', async () => {
  const db = await testDatabase()
  const store = (name: string) =>
    db.execute(sql`
      insert into console.directory_accounts as stored (environment, id, name, search_text, read_at, cards_excluded, reading)
      values ('sandbox', 'a-1', ${name}, '', now(), default, 1)
      on conflict (environment, id) do update set name = excluded.name, reading = stored.reading + 1`)
  await store('Ada')
  await store('Ada Lovelace')
  const count = (accounts: number) =>
    db.execute(sql`
      insert into console.directory_state as state (environment, reading, accounts) values ('sandbox', 1, ${accounts})
      on conflict (environment) do update set reading = state.reading + 1, accounts = excluded.accounts`)
  await count(1)
  await count(2)
  const accounts = await db.execute(sql`select name, cards_excluded, reading::int from console.index_accounts`)
  expect(accounts.rows).toEqual([{ name: 'Ada Lovelace', cards_excluded: 0, reading: 2 }])
  const progress = await db.execute(sql`select reading::int, records from console.index_account_progress`)
  expect(progress.rows).toEqual([{ reading: 2, records: 2 }])
  const views = await db.execute<{ name: string; insertable: string }>(sql`
    select table_name as name, is_insertable_into as insertable from information_schema.views where table_schema = 'console'`)
  expect(views.rows.length).toBe(9)
  expect(views.rows.filter(({ insertable }) => insertable !== 'YES')).toEqual([])
})
