import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { closeDatabases, connect, database, withPool, type TimeLimits } from './connection.ts'
import { isDatabaseUnavailable } from './errors.ts'
import { openTestDatabase, testDatabase } from './testing.ts'
import { inTransaction, withUnlimitedClient } from './transaction.ts'

async function open(limits: Partial<TimeLimits>, max = 2) {
  const { databaseUrl, db: other, close } = await openTestDatabase()
  onTestFinished(close)
  const all = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0, ...limits }
  const db = connect(databaseUrl, { max, limits: all })
  onTestFinished(() => db.$client.end())
  await other.execute(sql`create table thing (id int primary key)`)
  await other.execute(sql`insert into thing values (1)`)
  return { db, other }
}

/** The failure that a caller gets, and whether it counts as a database that is not available. */
async function failureOf(work: Promise<unknown>): Promise<boolean> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Error)
  return isDatabaseUnavailable(error)
}

test('a statement that takes too long is ended', async () => {
  const { db } = await open({ statementMs: 50 })
  expect(await failureOf(db.execute(sql`select pg_sleep(10)`))).toBe(true)
})

test('a statement that waits too long for a lock is ended', async () => {
  const { db, other } = await open({ lockMs: 50 })
  await inTransaction(other, async (tx) => {
    await tx.execute(sql`select from thing for update`)
    expect(await failureOf(db.execute(sql`update thing set id = 2`))).toBe(true)
  })
})

test('a transaction that pauses too long is ended, and its locks with it', async () => {
  const { db, other } = await open({ idleInTransactionMs: 50 })
  const paused = inTransaction(db, async (tx) => {
    await tx.execute(sql`select from thing for update`)
    await other.execute(sql`update thing set id = 2`)
    await tx.execute(sql`update thing set id = 3`)
  })
  expect(await failureOf(paused)).toBe(true)
  expect((await other.execute(sql`select id from thing`)).rows).toEqual([{ id: 2 }])
})

test('PostgreSQL finds out soon that the machine of a process is gone, and ends its locks', async () => {
  const { db } = await open({})
  const { rows } = await db.execute(sql`
    select from pg_settings where name like 'tcp_keepalives_%' and source = 'session'`)
  expect(rows).toHaveLength(3)
})

test('work without limits may take longer, and leaves the connection with its limits', async () => {
  const { db } = await open({ statementMs: 250 }, 1)
  await withUnlimitedClient(db, (client) => client.query('select pg_sleep(0.4)'))
  expect(await failureOf(db.execute(sql`select pg_sleep(10)`))).toBe(true)
})

test('a server that is not there counts as not available; a broken constraint does not', async () => {
  const { db } = await open({})
  expect(await failureOf(db.execute(sql`insert into thing values (1)`))).toBe(false)
  const nowhere = connect('postgresql://127.0.0.1:1/none')
  expect(await failureOf(nowhere.execute(sql`select 1`))).toBe(true)
})

test('console, service and background have pools of their own, each with time limits', async () => {
  const { databaseUrl, close } = await openTestDatabase()
  process.env.DATABASE_URL = databaseUrl
  onTestFinished(async () => {
    await closeDatabases()
    delete (globalThis as { carddeskDatabases?: unknown }).carddeskDatabases
    await close()
  })
  const pools = [database(), database('service'), withPool('background', () => database())]
  expect(new Set(pools).size).toBe(3)
  expect(database('console')).toBe(pools[0])
  expect(database('background')).toBe(pools[2])
  for (const db of pools) {
    const { rows } = await db.execute<{ setting: string }>(sql`
      select setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`)
    expect(rows.filter(({ setting }) => Number(setting) > 0)).toHaveLength(3)
  }
  // Every connection of the service is taken: the console's are free.
  const clients = await Promise.all(
    Array.from({ length: pools[1]?.$client.options.max ?? 0 }, () => pools[1]?.$client.connect()),
  )
  expect((await database().execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
  for (const client of clients) client?.release()
})

test('closing the pools ends in time and reports a connection that was never released', async () => {
  const { databaseUrl, close } = await openTestDatabase()
  process.env.DATABASE_URL = databaseUrl
  onTestFinished(async () => {
    delete (globalThis as { carddeskDatabases?: unknown }).carddeskDatabases
    await close()
  })
  await database().$client.connect()
  await expect(closeDatabases(50)).rejects.toThrow('never given back: 1')
})

test('a connection that is lost between two statements of a transaction fails the next one, and not the process', async () => {
  const db = await testDatabase()
  const client = await db.$client.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const ended = vi.fn<() => void>()
    client.once('end', ended)
    await db.execute(sql`select pg_terminate_backend(${rows[0].pid}::integer)`)
    await vi.waitFor(() => expect(ended).toHaveBeenCalled())
    await expect(client.query('select 1')).rejects.toThrow()
  } finally {
    client.release(true)
  }
  expect((await db.execute<{ one: number }>(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
})
