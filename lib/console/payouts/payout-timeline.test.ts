import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Payout } from '#lib/contract/records.ts'
import type { OperationRow } from '#lib/operations/journal.ts'
import { payouts as servicePayouts } from '#lib/service/tables/payouts.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { operations } from '#lib/tables/operations.ts'
import { payoutStates } from '#lib/tables/payouts.ts'
import { applyingDone } from '../inbox/apply.ts'
import { readInboxEvent } from '../inbox/read.ts'
import { deliver, makeEvent, signingKey } from '../testing/deliveries.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { listPayouts } from './list-payouts.ts'
import { parsePayout, payoutAsStored, parseStoredPayout, toPayoutState } from './payout-record.ts'
import { makeTimeline } from './payout-timeline.ts'
import { readPayout } from './read-payout.ts'
import type { PayoutRecord } from './types.ts'

const id = 'aaaaaaaa-0000-4000-8000-000000000001'
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute))
const course = [
  { status: 'requested', subStatus: 'ORDER_UNDER_AML_REVIEW', updated: at(0) },
  { status: 'requested', subStatus: 'ORDER_REVIEWED', updated: at(1) },
  { status: 'processing', subStatus: 'ORDER_SENT_TO_BANK', updated: at(2) },
  { status: 'under-recall', subStatus: null, updated: at(5) },
  { status: 'cancelled', subStatus: 'ORDER_CANCELLED', updated: at(9), cancellationReason: 'name does not match' },
]

function recordAt(step: number, created = at(0)): Record<string, unknown> {
  const state = course[step]
  return { id, created: created.toISOString(), ...state, updated: state?.updated.toISOString() }
}

function recordOf(sent: unknown): PayoutRecord {
  const payout = parsePayout(sent)
  if (!payout) throw new Error('no payout')
  return parseStoredPayout(payoutAsStored(payout))
}

const payoutAt = (step: number): PayoutRecord => recordOf(recordAt(step))

function stateRow(step: number, created = at(0)) {
  const state = toPayoutState(recordOf(recordAt(step, created)))
  if (!state) throw new Error('no state')
  return { ...state, seenAt: at(20 + step) }
}

function eventRow(step: number, name = 'payout.updated', created = at(0)) {
  const body = JSON.stringify({ id: `event ${step} ${name}`, event: name, data: recordAt(step, created) })
  return { id: `event ${step} ${name}`, event: name, body, time: at(step), receivedAt: at(10 + step) }
}

test('states read in any order and more than once appear once, in order', () => {
  const step = fc.integer({ min: 0, max: course.length - 1 })
  fc.assert(
    fc.property(fc.array(step), fc.array(step), step, (seen, reported, present) => {
      const timeline = makeTimeline(
        payoutAt(present),
        at(30),
        seen.map((one) => stateRow(one)),
        reported.map((one) => eventRow(one)),
        [],
      )
      const expected = [...new Set([...seen, ...reported, present])].toSorted()
      const states = timeline.entries.filter((entry) => entry.kind === 'state')
      expect(states.map((state) => state.at)).toEqual(expected.map((one) => course[one]?.updated.toISOString()))
      expect(states.map((state) => state.isNow)).toEqual(expected.map((one) => one === present))
      for (const [place, one] of expected.entries()) {
        const events = reported.includes(one) ? [`event ${one} payout.updated`] : []
        expect(states[place]?.events.map((event) => event.id)).toEqual(events)
      }
      const isWhole = expected.includes(0)
      expect(timeline.entries.some(({ kind }) => kind === 'created')).toBe(!isWhole)
      const expectedStates = expected
        .filter((one) => one <= present)
        .map((one) => course[one]?.status)
        .filter((label, place, all) => label !== all[place - 1])
      const reached = timeline.stops.filter((stop) => stop.at !== null).map((stop) => stop.status)
      expect(reached).toEqual([...(isWhole ? [] : [null]), ...expectedStates])
    }),
  )
})

test('the next steps are shown only where they are known', () => {
  const ahead = (step: number) =>
    makeTimeline(payoutAt(step), at(30), [], [], [])
      .stops.filter((stop) => stop.at === null)
      .map((stop) => stop.status)
  expect([0, 1, 2, 3, 4].map(ahead)).toEqual([
    ['processing', 'completed'],
    ['processing', 'completed'],
    ['completed'],
    [],
    [],
  ])
})

test('a cancellation’s reason is shown with its state, also if one of two readings lacks it', () => {
  const silent = { ...stateRow(4), cancellationReason: null }
  const { entries } = makeTimeline(payoutAt(4), at(30), [silent], [eventRow(4)], [])
  expect(entries.at(-1)).toMatchObject({ status: 'cancelled', cancellationReason: 'name does not match', isNow: true })
})

test('an earlier payout under the same id (a sandbox was reset) is left out', () => {
  const before = at(-600)
  const timeline = makeTimeline(
    payoutAt(0),
    at(30),
    [stateRow(2, before), stateRow(4, before)],
    [eventRow(4, 'payout.updated', before)],
    [],
  )
  expect(timeline.entries).toMatchObject([{ kind: 'state', status: 'requested', isNow: true }])
})

test('an event that reports no state is shown by its name; a payout without times has an empty timeline', () => {
  const odd = { ...eventRow(1, 'payout.annotated'), body: JSON.stringify({ data: { payoutId: id, note: 'x' } }) }
  const { entries } = makeTimeline(payoutAt(0), at(30), [], [odd, { ...odd, id: 'broken', body: '{' }], [])
  expect(entries.map(({ kind }) => kind)).toEqual(['state', 'event', 'event'])
  const bare = recordOf({ id })
  expect(makeTimeline(bare, at(0), [], [], [])).toEqual({ entries: [], stops: [] })
})

async function onePayout(desk: TestConsole, status: string): Promise<Payout> {
  const { json } = await desk.service.call('listPayouts', { query: { pageSize: '100' } })
  const found = (json as { payouts: Payout[] }).payouts.find((payout) => payout.status === status)
  if (!found) throw new Error(`the seed has a payout that is ${status}`)
  return found
}

async function move(desk: TestConsole, payout: Payout, change: Partial<Payout> & { updated: string }): Promise<Payout> {
  await desk.service.service.db
    .update(servicePayouts)
    .set({ ...change, updated: new Date(change.updated) } as never)
    .where(eq(servicePayouts.id, payout.id))
  return { ...payout, ...change }
}

test('events update a payout: late, repeated or out of order, the service’s record is used', async () => {
  const desk = await openConsole({ seeded: 1 })
  const key = await signingKey()
  await desk.signIn('viewer')
  const requested = await onePayout(desk, 'requested')
  const soon = (minutes: number) => new Date(Date.parse(requested.created ?? '') + minutes * 60_000).toISOString()
  const processing = await move(desk, requested, { status: 'processing', subStatus: null, updated: soon(2) })
  const completed = await move(desk, processing, { status: 'completed', updated: soon(12) })
  const reported = [
    makeEvent('payout.created', requested),
    makeEvent('payout.updated', processing),
    makeEvent('payout.updated', completed),
  ]
  for (const event of [reported[2], reported[0], reported[1], reported[0], reported[2]]) {
    expect((await deliver(key, event)).status).toBe(200)
    await applyingDone()
    const { payouts } = await listPayouts('sandbox', { q: requested.id })
    expect(payouts).toMatchObject([{ status: 'completed' }])
  }
  const { timeline, payout } = await readPayout('sandbox', requested.id)
  expect(payout.status).toBe('completed')
  expect(timeline.entries.map((entry) => (entry.kind === 'state' ? entry.status : entry.kind))).toEqual([
    'requested',
    'processing',
    'completed',
  ])
  for (const [place, entry] of timeline.entries.entries()) {
    const [event] = entry.kind === 'state' ? entry.events : []
    expect(event?.id).toBe(reported[place]?.id)
    expect(await readInboxEvent('sandbox', event?.id ?? '')).toMatchObject({ payoutId: requested.id, problem: null })
  }
  expect(timeline.stops).toMatchObject([
    { status: 'requested' },
    { status: 'processing' },
    { status: 'completed', isNow: true },
  ])
  await desk.db.delete(inboxEvents)
  const stored = await readPayout('sandbox', requested.id)
  expect(stored.timeline.stops, 'the timeline outlasts the inbox').toEqual(timeline.stops)
})

test('a new payout appears by its event alone, without a whole reading', async () => {
  const desk = await openConsole({ seeded: 1 })
  const key = await signingKey()
  await desk.signIn('viewer')
  const requested = await onePayout(desk, 'requested')
  await deliver(key, makeEvent('payout.created', requested))
  await applyingDone()
  await desk.stopService()
  const { payouts, coverage } = await listPayouts('sandbox', {})
  expect(payouts.map((payout) => payout.id)).toEqual([requested.id])
  expect(coverage.isComplete).toBe(false)
})

test('an event about a payout that the service does not know, or of any shape, is applied and changes nothing', async () => {
  const desk = await openConsole({ seeded: 1 })
  const key = await signingKey()
  await desk.signIn('viewer')
  const unknown = { ...(await onePayout(desk, 'completed')), id: randomUUID() }
  for (const data of [unknown, { id: randomUUID() }, { id: randomUUID(), status: 7, updated: {} }, {}]) {
    expect((await deliver(key, makeEvent('payout.updated', data))).status).toBe(200)
  }
  await applyingDone()
  const events = await desk.db.select().from(inboxEvents)
  expect(events.map(({ appliedAt, problem }) => [appliedAt !== null, problem])).toEqual(events.map(() => [true, null]))
  expect((await listPayouts('sandbox', { q: unknown.id })).payouts).toEqual([])
  await expect(readPayout('sandbox', unknown.id)).rejects.toMatchObject({ code: 'PAYOUT_NOT_FOUND' })
})

test('while the service is down an event reports its state, waits, and is applied once the service responds', async () => {
  const desk = await openConsole({ seeded: 1 })
  const key = await signingKey()
  await desk.signIn('viewer')
  const requested = await onePayout(desk, 'requested')
  await readPayout('sandbox', requested.id)
  await desk.stopService()
  const updated = new Date().toISOString()
  await deliver(key, makeEvent('payout.updated', { ...requested, status: 'processing', updated }))
  await applyingDone()
  const [event] = await desk.db.select().from(inboxEvents)
  expect(event).toMatchObject({ appliedAt: null, problem: expect.any(String), payoutId: requested.id })
  const { payout, timeline } = await readPayout('sandbox', requested.id)
  expect(payout.status, 'an event is a hint, the record is what was read').toBe('requested')
  expect(timeline.entries.at(-1)).toMatchObject({ kind: 'state', status: 'processing' })
  await desk.startService()
})

test('the submission is first in the timeline, with its outcome, whatever the clocks say', async () => {
  const desk = await openConsole({ seeded: 1 })
  const staff = await desk.signIn('operations')
  const requested = await onePayout(desk, 'requested')
  const row = {
    id: randomUUID(),
    environment: 'sandbox',
    kind: 'payout.submit',
    staffId: staff?.id ?? '',
    staffName: staff?.name ?? '',
    staffRole: 'operations',
    targetType: 'payout',
    targetId: randomUUID(),
    endpoint: 'executePayout',
    contentDigest: 'digest',
    holdsSecret: false,
    state: 'done',
    resultId: requested.id,
    reason: 'salary',
    createdAt: new Date(Date.now() + 3_600_000),
    leaseUntil: new Date(),
    leaseHolder: randomUUID(),
    settledAt: new Date(),
  } satisfies Partial<OperationRow>
  await desk.db
    .insert(operations)
    .values([
      row,
      { ...row, id: randomUUID(), kind: 'reference.set', targetId: requested.id, resultId: null },
      { ...row, id: randomUUID(), resultId: randomUUID() },
    ])
  const { timeline } = await readPayout('sandbox', requested.id)
  expect(timeline.entries).toMatchObject([
    { kind: 'operation', act: 'payout.submit', operationId: row.id, by: { name: staff?.name }, reason: 'salary' },
    { kind: 'state', status: 'requested', isNow: true },
    { kind: 'operation', act: 'reference.set' },
  ])
})

test('a reset sandbox has no state of earlier payouts with the same ids', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const requested = await onePayout(desk, 'requested')
  const completed = await move(desk, requested, {
    status: 'completed',
    updated: new Date(Date.now() + 60_000).toISOString(),
  })
  await readPayout('sandbox', completed.id)
  await desk.service.service.db
    .update(servicePayouts)
    .set({ status: 'requested', created: new Date(), updated: new Date() })
    .where(eq(servicePayouts.id, requested.id))
  const { timeline } = await readPayout('sandbox', requested.id)
  expect(timeline.entries).toMatchObject([{ kind: 'state', status: 'requested', isNow: true }])
  expect(await desk.db.select().from(payoutStates).where(eq(payoutStates.payoutId, requested.id))).toHaveLength(2)
})

test('a payout without events is looked up in an index, however many the inbox holds', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const requested = await onePayout(desk, 'requested')
  await desk.db.execute(sql`
    insert into ${inboxEvents} (environment, id, event, body, is_known, payout_id, transaction_id, received_at, applied_at, next_attempt_at)
    select 'sandbox', 'event ' || n, 'payout.updated', '{}', true, 'payout ' || n % 5, 'transaction ' || n % 5, now(), now(), now()
    from generate_series(1, 20000) n`)
  await desk.db.execute(sql`analyze ${inboxEvents}`)
  const query = vi.spyOn(Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  await readPayout('sandbox', requested.id)
  const lookups = query.mock.calls.flatMap(([sent, values]): { text: string; values: unknown[] }[] => {
    const text = typeof sent === 'string' ? sent : (sent as unknown as { text: string }).text
    return /inbox_events.* lower\(\S*payout_id\S*\) = /s.test(text)
      ? [{ text, values: values as unknown as unknown[] }]
      : []
  })
  expect(lookups).toHaveLength(1)
  for (const { text, values } of lookups) {
    const { rows } = await desk.db.$client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Index Cond: .*lower\(payout_id\)/)
  }
})

test('a service that leaves the time of a payout as it was: the present state is the last one, whatever came before', () => {
  const state = (status: string) => ({ ...recordAt(0), status, subStatus: null })
  const present = recordOf(state('processing'))
  const before = ['requested', 'completed'].map((status, minute) => {
    const row = toPayoutState(recordOf(state(status)))
    if (!row) throw new Error('no state')
    return { ...row, seenAt: at(20 + minute) }
  })
  const { entries, stops } = makeTimeline(present, at(30), before, [], [])
  const reached = entries.flatMap((entry) => (entry.kind === 'state' ? [[entry.status, entry.isNow]] : []))
  expect(reached).toEqual([
    ['requested', false],
    ['completed', false],
    ['processing', true],
  ])
  expect(stops.map(({ status }) => status)).toEqual(['requested', 'completed', 'processing', 'completed'])
})
