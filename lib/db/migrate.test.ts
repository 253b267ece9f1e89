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
