import { randomUUID } from 'node:crypto'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { integer, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { connect, type Database } from './connection.ts'
import { backOff, claimDue, inSeconds, isFree, leaseEnd, lockNextDue, makeLease } from './queue.ts'
import { openTestDatabase } from './testing.ts'
import { inTransaction } from './transaction.ts'

const pieces = pgSchema('launch').table('pieces', {
  name: text('name').primaryKey(),
  attempts: integer('attempts').notNull().default(0),
  dueAt: timestamp('due_at', { withTimezone: true }).notNull().defaultNow(),
  leaseHolder: uuid('lease_holder'),
  leaseUntil: timestamp('lease_until', { withTimezone: true }).notNull().defaultNow(),
})

let one: Database
let other: Database

beforeAll(async () => {
  const { db, databaseUrl, close } = await openTestDatabase()
  one = db
  // Another process on the same database.
  other = connect(databaseUrl, { max: 4, name: 'carddesk test' })
  await db.execute(sql`create table ${pieces} (name text primary key, attempts integer not null default 0,
    due_at timestamptz not null default clock_timestamp(), lease_holder uuid, lease_until timestamptz not null default clock_timestamp())`)
  return async () => {
    await other.$client.end()
    await close()
  }
})

beforeEach(async () => {
  await one.delete(pieces)
  await one.insert(pieces).values(['a', 'b', 'c', 'd'].map((name) => ({ name })))
})

const due = sql`${pieces.dueAt} <= clock_timestamp()`
const claim = (db: Database, limit = 10) =>
  claimDue(db, pieces, {
    key: [pieces.name],
    due,
    order: sql`${pieces.name}`,
    limit,
    set: { attempts: sql`${pieces.attempts} + 1`, dueAt: inSeconds(30) },
  })
const names = (rows: { name: string }[]) => rows.map(({ name }) => name).toSorted()

test('two processes share the rows that are due, each row at one of them', async () => {
  const taken = await Promise.all([claim(one, 2), claim(other, 2), claim(one, 2), claim(other, 2)])
  expect(names(taken.flat())).toEqual(['a', 'b', 'c', 'd'])
  expect(await claim(other)).toEqual([])
})

test('a column that the work does not need is left out', async () => {
  const [row] = await claimDue(one, pieces, {
    key: [pieces.name],
    due,
    order: sql`${pieces.name}`,
    limit: 1,
    set: { dueAt: inSeconds(30) },
    without: ['attempts', 'leaseHolder'],
  })
  expect(Object.keys(row ?? {})).toEqual(['name', 'dueAt', 'leaseUntil'])
})

test('a row that another transaction is changing is left out, and nobody waits for it', async () => {
  await inTransaction(one, async (tx) => {
    expect(await lockNextDue(tx, pieces, { due, order: sql`${pieces.name}` })).toMatchObject({ name: 'a' })
    expect(names(await claim(other))).toEqual(['b', 'c', 'd'])
  })
  expect(names(await claim(other))).toEqual(['a'])
})

test('the rows of a holder that was killed are due again once their lease is over, and count the attempt', async () => {
  await claim(one)
  expect(await claim(other)).toEqual([])
  await one.update(pieces).set({ dueAt: inSeconds(0) })
  const again = await claim(other)
  expect(again.map(({ attempts }) => attempts)).toEqual([2, 2, 2, 2])
})

test('the clock is the database’s: one of the process that is an hour ahead takes nothing early', async () => {
  await one.update(pieces).set({ dueAt: inSeconds(60) })
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await claim(one)).toEqual([])
})

test('pauses grow with the attempts, between their bounds', async () => {
  await one.update(pieces).set({ attempts: sql`ascii(${pieces.name}) - ascii('a')` })
  await one.update(pieces).set({ attempts: 40 }).where(eq(pieces.name, 'd'))
  const rows = await one
    .select({ seconds: sql<number>`(${backOff(pieces.attempts, { least: 2, most: 600 })})::float8` })
    .from(pieces)
    .orderBy(pieces.name)
  expect(rows.map(({ seconds }) => seconds)).toEqual([2, 2, 4, 600])
})

async function take(db: Database, holder: string) {
  const [row] = await claimDue(db, pieces, {
    key: [pieces.name],
    due: isFree(pieces),
    order: sql`${pieces.name}`,
    limit: 1,
    set: { leaseHolder: holder, leaseUntil: leaseEnd },
  })
  return { row, lease: makeLease(db, pieces, eq(pieces.name, row?.name ?? ''), holder) }
}

const secondsLeft = async (name: string) => {
  const [row] = await one
    .select({ left: sql<number>`extract(epoch from ${pieces.leaseUntil} - clock_timestamp())::float8` })
    .from(pieces)
    .where(eq(pieces.name, name))
  return row?.left ?? 0
}

test('a lease is renewed while it is kept, and released at its end', async () => {
  const { row, lease } = await take(one, randomUUID())
  expect(row?.name).toBe('a')
  await one
    .update(pieces)
    .set({ leaseUntil: inSeconds(5) })
    .where(eq(pieces.name, 'a'))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const stop = lease.keep()
  vi.advanceTimersByTime(5_000)
  await vi.waitFor(async () => expect(await secondsLeft('a')).toBeGreaterThan(10))
  stop()
  await lease.release({ attempts: 7 }, 60)
  const left = await secondsLeft('a')
  expect(left > 50 && left <= 60).toBe(true)
  expect(await one.select(getTableColumns(pieces)).from(pieces).where(eq(pieces.name, 'a'))).toMatchObject([
    { attempts: 7, leaseHolder: null },
  ])
})

test('a holder that was too slow writes nothing once another one has the row', async () => {
  const slow = await take(one, randomUUID())
  await one
    .update(pieces)
    .set({ leaseUntil: inSeconds(-1) })
    .where(eq(pieces.name, 'a'))
  const quick = await take(other, randomUUID())
  expect(quick.row?.name).toBe('a')
  expect(await slow.lease.write({ attempts: 9 })).toBe(false)
  expect(await slow.lease.release()).toBe(false)
  expect(await quick.lease.write({ attempts: 1 })).toBe(true)
})
