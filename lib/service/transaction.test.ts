import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { prepared } from '#lib/db/prepared.ts'
import { testDatabase } from '#lib/db/testing.ts'
import { clock } from './tables/runtime.ts'
import { inTransaction } from './transaction.ts'

const offset = (ms: number) =>
  sql`insert into service.clock (id, offset_ms) values (1, ${ms}) on conflict (id) do update set offset_ms = ${ms}`

test('commits what work does, and undoes it when it throws', async () => {
  const db = await testDatabase()
  expect(await inTransaction(db, async (tx) => (await tx.execute(offset(1))).rowCount)).toBe(1)
  await expect(
    inTransaction(db, async (tx) => {
      await tx.execute(offset(2))
      throw new Error('refused')
    }),
  ).rejects.toThrow('refused')
  expect(await db.select().from(clock)).toMatchObject([{ offsetMs: 1 }])
})

test('a transaction within it is undone alone', async () => {
  const db = await testDatabase()
  await inTransaction(db, async (tx) => {
    await tx.execute(offset(1))
    const inner = tx.transaction(async (nested) => {
      await nested.execute(offset(2))
      throw new Error('inner')
    })
    await expect(inner).rejects.toThrow('inner')
  })
  expect(await db.select().from(clock)).toMatchObject([{ offsetMs: 1 }])
})

test('of two that lock each other out, the one that PostgreSQL gives up is done again', async () => {
  const db = await testDatabase()
  await db.execute(sql`create table pair (id int primary key, value int); insert into pair values (1, 0), (2, 0)`)
  let starts = 0
  let bothHaveOne: () => void = () => undefined
  const meeting = new Promise<void>((resolve) => (bothHaveOne = resolve))
  const add = (first: number, second: number) =>
    inTransaction(db, async (tx) => {
      starts += 1
      await tx.execute(sql`update pair set value = value + 1 where id = ${first}`)
      if (starts === 2) bothHaveOne()
      await meeting
      await tx.execute(sql`update pair set value = value + 1 where id = ${second}`)
    })
  await Promise.all([add(1, 2), add(2, 1)])
  // On a busy machine the second attempt may get in between and be given up too.
  expect(starts).toBeGreaterThanOrEqual(3)
  expect((await db.execute(sql`select value from pair`)).rows).toEqual([{ value: 2 }, { value: 2 }])
})

test('gives a connection back unharmed after a failure, with what was prepared on it', async () => {
  const db = await testDatabase()
  const read = prepared((each) => each.select().from(clock).prepare('read_clock'))
  for (let round = 0; round < 50; round += 1) {
    await expect(inTransaction(db, (tx) => tx.execute(sql`select 1 / 0`))).rejects.toThrow()
    expect(await inTransaction(db, (tx) => read(tx).execute())).toEqual([])
  }
  expect(db.$client.totalCount).toBe(1)
})
