import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { clock } from '#lib/service/tables/runtime.ts'
import { connect } from './connection.ts'
import { perDatabase } from './per-database.ts'
import { openTestDatabase, testDatabase } from './testing.ts'
import { afterCommit, inTransaction, type TransactionOptions } from './transaction.ts'

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
  let [starts, locked] = [0, 0]
  let bothHaveOne: () => void = () => undefined
  const meeting = new Promise<void>((resolve) => (bothHaveOne = resolve))
  const add = (first: number, second: number) =>
    inTransaction(db, async (tx) => {
      starts += 1
      await tx.execute(sql`update pair set value = value + 1 where id = ${first}`)
      locked += 1
      if (locked === 2) bothHaveOne()
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
  const read = perDatabase((each) => each.select().from(clock).prepare('read_clock'))
  for (let round = 0; round < 50; round += 1) {
    await expect(inTransaction(db, (tx) => tx.execute(sql`select 1 / 0`))).rejects.toThrow()
    expect(await inTransaction(db, (tx) => read(tx).execute())).toEqual([])
  }
  expect(db.$client.totalCount).toBe(1)
})

test('a BEGIN that fails gives its connection back', async () => {
  const db = await testDatabase()
  const options = { isolationLevel: 'unknown' } as unknown as TransactionOptions
  await expect(inTransaction(db, async () => 1, options)).rejects.toThrow('syntax error')
  expect([db.$client.totalCount, db.$client.idleCount]).toEqual([1, 1])
})

test('a connection that is lost in a transaction leaves the pool, and the next transaction gets another one', async () => {
  const db = await testDatabase()
  const work = inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`).catch(() => undefined)
    throw new Error('refused')
  })
  // Not what the rollback threw.
  await expect(work).rejects.toThrow('refused')
  await vi.waitFor(() => expect(db.$client.totalCount).toBe(0))
  expect(await inTransaction(db, async (tx) => (await tx.execute(offset(3))).rowCount)).toBe(1)
  expect([db.$client.totalCount, db.$client.idleCount]).toEqual([1, 1])
})

test('a connection that is lost between two statements does not end the process', async () => {
  const db = await testDatabase()
  const attempt = inTransaction(db, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await db.execute(sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`)
    await setTimeout(20)
    await tx.execute(offset(4))
  })
  await expect(attempt).rejects.toThrow()
  expect(await db.select().from(clock)).toEqual([])
})

test('calls what waits for a commit once after it, and not after a rollback', async () => {
  const db = await testDatabase()
  const calls: number[] = []
  const note = () => void calls.push(calls.length)
  const attempt = inTransaction(db, async (tx) => {
    afterCommit(tx, note)
    throw new Error('refused')
  })
  await expect(attempt).rejects.toThrow('refused')
  await inTransaction(db, (tx) => tx.execute(offset(1)))
  expect(calls).toEqual([])
  await inTransaction(db, async (tx) => {
    afterCommit(tx, note)
    afterCommit(tx, note)
    expect(calls).toEqual([])
  })
  expect(calls).toEqual([0])
})

test('transactions that all wait leave connections of the pool to single statements', async () => {
  const { db: holder, databaseUrl, close } = await openTestDatabase()
  onTestFinished(close)
  const db = connect(databaseUrl, { max: 3 })
  onTestFinished(() => db.$client.end())
  await holder.execute(offset(1))
  await inTransaction(holder, async (tx) => {
    await tx.execute(offset(2))
    const waiting = Array.from({ length: 10 }, () => inTransaction(db, (other) => other.execute(offset(3))))
    onTestFinished(async () => void (await Promise.all(waiting)))
    await setTimeout(50)
    expect(await db.select().from(clock)).toMatchObject([{ offsetMs: 1 }])
  })
})

test('work whose caller has gone while it waits for its turn never begins', async () => {
  const { databaseUrl, close } = await openTestDatabase()
  onTestFinished(close)
  const db = connect(databaseUrl, { max: 1 })
  onTestFinished(() => db.$client.end())
  const caller = new AbortController()
  let hasBegun = false
  const first = inTransaction(db, async () => {
    const second = inTransaction(db, async () => (hasBegun = true), { signal: caller.signal })
    caller.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
  })
  await first
  await inTransaction(db, (tx) => tx.execute(offset(1)))
  expect(hasBegun).toBe(false)
})
