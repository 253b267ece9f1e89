import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { inSnapshot, pageDatabase } from './snapshot.ts'

test('pages are read from the state at the first of them, and the work runs once whatever it throws', async () => {
  const { db } = await openConsole({ seeded: 1 })
  const countNames = async () => {
    const { rows } = await pageDatabase().execute<{ names: number }>(
      sql`select count(*)::int as names from console.index_payout_progress where environment like 'snapshot%'`,
    )
    return rows[0]?.names
  }
  const add = (name: string) =>
    db.execute(sql`insert into console.index_payout_progress (environment) values (${`snapshot ${name}`})`)
  await inSnapshot(async () => {
    // What is there before the first page is in it.
    await add('a')
    expect(await countNames()).toBe(1)
    await add('b')
    expect(await countNames()).toBe(1)
  })
  expect(await countNames()).toBe(2)

  let runs = 0
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' })
  const failing = inSnapshot(async () => {
    runs += 1
    await countNames()
    throw deadlock
  })
  await expect(failing).rejects.toBe(deadlock)
  expect(runs).toBe(1)
})
