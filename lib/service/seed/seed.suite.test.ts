import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Database } from '#lib/db/connection.ts'
import { testDatabase } from '#lib/db/testing.ts'
import { seedService } from './seed.ts'

test('a large seed leaves every index and key as the migrations made them', async () => {
  const db = await testDatabase()
  const before = await definitions(db)
  await seedService(db, { cardAccounts: 4000, now: new Date(), cardNumberKey: Buffer.alloc(32, 7) })
  expect(await definitions(db)).toEqual(before)
  const { rows } = await db.execute(sql`select count(*)::int as accounts from service.card_accounts`)
  expect(rows).toEqual([{ accounts: 4000 }])
})

async function definitions(db: Database): Promise<unknown[]> {
  const { rows } = await db.execute(sql`
    select indexdef as definition from pg_indexes where schemaname = 'service'
    union all select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
     where connamespace = 'service'::regnamespace order by 1`)
  return rows
}
