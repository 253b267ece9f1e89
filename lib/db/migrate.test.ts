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
