import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Database } from '#lib/db/connection.ts'
import { openTestDatabase } from '#lib/db/testing.ts'
import { hourMs, minuteMs } from '#lib/shared/time.ts'
import { readSandboxNow } from './clock.ts'
import type { Performer } from './due-work.ts'
import { advanceClock, performDueWork } from './perform-due-work.ts'
import { dueWork } from './tables/runtime.ts'

let databaseUrl: string
let db: Database
let close: () => Promise<void>
let performed: { subject: string; at: number }[]

beforeEach(async () => {
  ;({ databaseUrl, db, close } = await openTestDatabase())
  performed = []
})
afterEach(() => close())

const note: Performer = async ({ subject, now }) => {
  performed.push({ subject, at: now.getTime() })
}

async function schedule(...works: { subject: string; dueAt: Date; kind?: string }[]): Promise<void> {
  await db.insert(dueWork).values(works.map((work) => ({ kind: 'note', payload: {}, ...work })))
}

async function inSandbox(afterMs: number): Promise<Date> {
  return new Date((await readSandboxNow(db)).getTime() + afterMs)
}

test('moving the clock forward performs everything due in order of due time, each at its due time', async () => {
  const times = await Promise.all([3 * hourMs, hourMs, 2 * hourMs, 30 * hourMs].map(inSandbox))
  await schedule(...times.map((dueAt, place) => ({ subject: `work ${place}`, dueAt })))
  const before = await readSandboxNow(db)

  const { now, performed: count } = await advanceClock(db, { byMs: 24 * hourMs }, { by: { note } })

  expect(count).toBe(3)
  expect(performed).toEqual([1, 2, 0].map((place) => ({ subject: `work ${place}`, at: times[place]?.getTime() })))
  expect(now.getTime() - before.getTime()).toBeGreaterThanOrEqual(24 * hourMs)
  expect(now.getTime() - before.getTime()).toBeLessThan(24 * hourMs + minuteMs)
  expect(await db.select().from(dueWork)).toHaveLength(1)
})

test('work that a performer schedules within the advance is performed in the same advance', async () => {
  const first = await inSandbox(hourMs)
  await schedule({ subject: 'chain', dueAt: first })
  const chain: Performer = async (work) => {
    await note(work)
    const dueAt = new Date(work.now.getTime() + hourMs)
    await work.db.insert(dueWork).values({ kind: 'note', subject: work.subject, payload: {}, dueAt })
  }
  const { performed: count } = await advanceClock(db, { byMs: 5 * hourMs + minuteMs }, { by: { note: chain } })
  expect(count).toBe(5)
  expect(performed.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4].map((hour) => first.getTime() + hour * hourMs))
})

test('two advances at once add up, and another process sees the moved clock at once', async () => {
  const before = await readSandboxNow(db)
  await Promise.all([advanceClock(db, { byMs: hourMs }), advanceClock(db, { byMs: hourMs })])
  const other = connect(databaseUrl, { max: 1 })
  const now = await readSandboxNow(other)
  await other.$client.end()
  expect(now.getTime() - before.getTime()).toBeGreaterThanOrEqual(2 * hourMs)
})

test('two moves to one instant at once end there: the second finds the clock at it', async () => {
  await advanceClock(db, { freeze: true })
  const to = await inSandbox(hourMs)
  await Promise.all([advanceClock(db, { to }), advanceClock(db, { to })])
  expect(await readSandboxNow(db)).toEqual(to)
})

test('more advances at once than the process has connections: each has its turn', async () => {
  await schedule({ subject: 'one', dueAt: await inSandbox(minuteMs) })
  const before = await readSandboxNow(db)
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, () => advanceClock(db, { byMs: minuteMs }, { by: { note } })),
  )
  expect(outcomes.reduce((total, outcome) => total + outcome.performed, 0)).toBe(1)
  expect((await readSandboxNow(db)).getTime() - before.getTime()).toBeGreaterThanOrEqual(30 * minuteMs)
})

test('several processes share the work: each piece is performed once, and those of one subject one after the other', async () => {
  const past = Date.now() - hourMs
  const works = Array.from({ length: 60 }, (_, place) => ({
    subject: `subject ${place % 5}`,
    dueAt: new Date(past + place * 1000),
  }))
  await schedule(...works)
  const busy = new Set<string>()
  const exclusive: Performer = async (work) => {
    expect(busy.has(work.subject)).toBe(false)
    busy.add(work.subject)
    await work.db.execute('select 1')
    await note(work)
    busy.delete(work.subject)
  }
  const processes = [1, 2, 3].map(() => connect(databaseUrl, { max: 2 }))
  // One that finds only locked work leaves it to the others: together they leave nothing.
  const counts = await Promise.all([...processes, db].map((each) => performDueWork(each, { note: exclusive })))
  await Promise.all(processes.map((each) => each.$client.end()))

  expect(counts.reduce((total, count) => total + count, 0)).toBe(60)
  for (const subject of new Set(works.map((work) => work.subject))) {
    const order = performed.filter((each) => each.subject === subject).map(({ at }) => at)
    expect(order).toEqual(works.filter((work) => work.subject === subject).map(({ dueAt }) => dueAt.getTime()))
  }
})

test('work that fails is rolled back, retried, and delays only its own subject', async () => {
  const past = new Date(Date.now() - hourMs)
  await schedule(
    { kind: 'broken', subject: 'one', dueAt: past },
    { subject: 'one', dueAt: new Date(past.getTime() + 1) },
    { subject: 'two', dueAt: new Date(past.getTime() + 2) },
  )
  const broken: Performer = async ({ db: tx, now }) => {
    await tx.insert(dueWork).values({ kind: 'note', subject: 'left over', payload: {}, dueAt: now })
    throw new Error('cannot be done')
  }
  expect(await performDueWork(db, { note, broken })).toBe(1)
  expect(performed.map(({ subject }) => subject)).toEqual(['two'])
  const [stored, held] = await db.select().from(dueWork).orderBy(dueWork.id)
  expect(stored).toMatchObject({ kind: 'broken', failures: 1 })
  expect(stored?.retryAt?.getTime()).toBeGreaterThan(Date.now() - minuteMs)
  expect(held).toMatchObject({ subject: 'one', failures: 0 })
})

test('the clock runs with the real one and is never moved back', async () => {
  const { now } = await advanceClock(db, { byMs: hourMs })
  const later = await readSandboxNow(db)
  expect(later.getTime()).toBeGreaterThanOrEqual(now.getTime())
  expect(Math.abs(later.getTime() - Date.now() - hourMs)).toBeLessThan(minuteMs)
})
