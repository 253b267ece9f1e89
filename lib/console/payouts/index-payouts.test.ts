import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Payout } from '#lib/contract/records.ts'
import { forgetRow } from '#lib/index/define-index.ts'
import { readingsDone } from '#lib/index/single-flight.ts'
import { notificationsWritten } from '#lib/live/publish.ts'
import { payouts as servicePayouts } from '#lib/service/tables/payouts.ts'
import { changes } from '#lib/tables/changes.ts'
import { indexedPayouts, payoutProgress, payoutStates } from '#lib/tables/payouts.ts'
import { openConsole, shareConsole, type TestConsole } from '../testing/open-console.ts'
import { indexPayouts, payoutIndex, readOnePayout } from './index-payouts.ts'
import { listPayouts } from './list-payouts.ts'
import { parsePayout } from './payout-record.ts'

const desk = shareConsole({ seeded: 1 })

const record = (id: unknown, more: object = {}): Payout => {
  const payout = parsePayout({
    id,
    created: '2026-11-20T08:00:00.000Z',
    updated: '2026-11-20T08:00:00.000Z',
    method: 'BANK_TRANSFER',
    accountId: 'account',
    sourceCurrency: 'HKD',
    destinationCurrency: 'PHP',
    sourceAmount: 1,
    destinationAmount: 7,
    status: 'requested',
    ...more,
  })
  if (!payout) throw new Error('no payout')
  return payout
}

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 9, 0, seconds))

async function rowOf({ db }: TestConsole, id: string) {
  const [row] = await db.select().from(indexedPayouts).where(eq(indexedPayouts.id, id))
  return row
}

async function indexedIds({ db }: TestConsole): Promise<string[]> {
  return (await db.select({ id: indexedPayouts.id }).from(indexedPayouts)).map(({ id }) => id).toSorted()
}

async function trueIds({ service }: TestConsole): Promise<string[]> {
  return (await service.service.db.select({ id: servicePayouts.id }).from(servicePayouts))
    .map(({ id }) => id)
    .toSorted()
}

test('responses that arrive in any order, side by side, leave the one that was requested last, and every state once', async () => {
  const response = fc.record({
    requested: fc.integer({ min: 0, max: 50 }),
    payout: fc.integer({ min: 0, max: 2 }),
    minute: fc.integer({ min: 0, max: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(response, { maxLength: 12, selector: ({ requested }) => requested }),
      async (responses) => {
        const ids = [randomUUID(), randomUUID(), randomUUID()]
        const sent = responses.map(({ requested, payout, minute }) => ({
          requested,
          record: record(ids[payout] ?? '', {
            updated: `2026-11-20T08:0${minute}:00.000Z`,
            status: `status ${minute}`,
          }),
        }))
        await Promise.all(sent.map((one) => indexPayouts('sandbox', [one.record], at(one.requested))))
        for (const id of ids) {
          const own = sent
            .filter((one) => one.record.id === id)
            .toSorted((one, other) => one.requested - other.requested)
          const row = await rowOf(desk, id)
          expect(row?.status).toBe(own.at(-1)?.record.status)
          expect(row?.readAt).toEqual(own.length > 0 ? at(own.at(-1)?.requested ?? 0) : undefined)
          const states = await desk.db.select().from(payoutStates).where(eq(payoutStates.payoutId, id))
          expect(states.map(({ status }) => status).toSorted()).toEqual(
            [...new Set(own.map((one) => one.record.status))].toSorted(),
          )
        }
      },
    ),
    { numRuns: 25 },
  )
})

test('a payout that the service does not know is deleted, unless a later request returned it', async () => {
  const id = randomUUID()
  await indexPayouts('sandbox', [record(id)], at(10))
  await forgetRow(indexedPayouts, 'sandbox', id, at(9))
  expect(await rowOf(desk, id)).toBeDefined()
  await forgetRow(indexedPayouts, 'sandbox', id, at(11))
  expect(await rowOf(desk, id)).toBeUndefined()
})

test('values that fit no column stop no reading, and every storable value is stored as sent', async () => {
  const desk = await openConsole({ seeded: 1 })
  const [odd, huge, plain] = [randomUUID(), randomUUID(), randomUUID()]
  await indexPayouts(
    'sandbox',
    [
      record(`\u0000${odd}`),
      record('x'.repeat(201)),
      record(odd, {
        status: { deep: [1] },
        subStatus: 7,
        sourceAmount: 'much',
        created: 'once',
        destination: [1],
        xid: 5,
      }),
      record(huge, {
        status: 's'.repeat(9000),
        subStatus: 'a\u0000\ud800',
        sourceAmount: 0.123456789012345,
        method: null,
      }),
      record(plain),
    ],
    at(1),
  )
  expect(await indexedIds(desk)).toEqual([odd, huge, plain].toSorted())
  expect(await rowOf(desk, odd)).toMatchObject({
    status: null,
    subStatus: '7',
    sourceAmount: null,
    createdAt: null,
    xid: '5',
  })
  expect((await rowOf(desk, huge))?.record).toMatchObject({ status: 's'.repeat(9000), sourceAmount: 0.123456789012345 })
  await desk.signIn('viewer')
  await desk.stopService()
  const { payouts, totals } = await listPayouts('sandbox', {})
  expect(payouts.find(({ id }) => id === odd)).toMatchObject({ status: null, sourceAmount: null, created: null })
  expect(totals.source).toEqual([
    {
      currency: 'HKD',
      payouts: 3,
      statuses: expect.arrayContaining([{ status: null, amount: null }]),
      excluded: 2,
    },
  ])
  expect(totals.source[0]?.statuses.map(({ amount }) => amount).toSorted()).toEqual(['1', null, null])
})

test('a whole reading stores every payout and takes away what is gone, but not what was read meanwhile', async () => {
  const [gone, meanwhile] = [randomUUID(), randomUUID()]
  await indexPayouts('sandbox', [record(gone)], new Date(Date.now() - 1000))
  desk.intercept.before = async (request) => {
    if (request.url?.includes('/payouts')) await indexPayouts('sandbox', [record(meanwhile)], new Date())
    return false
  }
  expect(await payoutIndex.readAll('sandbox')).toBe(true)
  expect(await indexedIds(desk)).toEqual([...(await trueIds(desk)), meanwhile].toSorted())
  const [reading] = await desk.db.select().from(payoutProgress)
  expect(reading).toMatchObject({ reading: 1, readingSince: null, records: (await trueIds(desk)).length + 1 })
})

test('one full sync runs at a time: a second one does nothing', async () => {
  const results = await Promise.all(Array.from({ length: 5 }, () => payoutIndex.readAll('sandbox')))
  expect(results.filter(Boolean)).toHaveLength(1)
  expect(desk.requests.get('/payouts')).toBe(1)
})

test('a sync that fails deletes nothing and is marked as ended', async () => {
  await payoutIndex.readAll('sandbox')
  const before = await indexedIds(desk)
  const extra = randomUUID()
  await indexPayouts('sandbox', [record(extra)], new Date(0))
  desk.intercept.before = (_, response) => {
    response.writeHead(500).end('{}')
    return true
  }
  await expect(payoutIndex.readAll('sandbox')).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
  expect(await indexedIds(desk)).toEqual([...before, extra].toSorted())
  const [reading] = await desk.db.select().from(payoutProgress)
  expect(reading?.readingSince).toBeNull()
})

test('a list that goes in a circle ends as a failure instead of going on for ever', async () => {
  desk.intercept.before = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ payouts: [], prevPageToken: null, nextPageToken: 'again' }))
    return true
  }
  await expect(payoutIndex.readAll('sandbox')).rejects.toThrow('repeats a page after 2 pages')
})

test('a new state is published to open pages, a known one is not', async () => {
  const reported = async () => {
    await notificationsWritten()
    const rows = await desk.db.select().from(changes)
    return rows.flatMap(({ about }) => about).filter(({ type }) => type === 'payouts').length
  }
  await payoutIndex.readAll('sandbox')
  const first = await reported()
  expect(first).toBeGreaterThan(0)
  await payoutIndex.readAll('sandbox')
  const [id = ''] = await trueIds(desk)
  await readOnePayout('sandbox', id)
  expect(await reported()).toBe(first)
  await desk.service.service.db
    .update(servicePayouts)
    .set({ status: 'teleported', updated: new Date() })
    .where(eq(servicePayouts.id, id))
  await readOnePayout('sandbox', id)
  expect(await reported()).toBe(first + 1)
})

test('a few payouts are read again whenever somebody looks and they are older than five seconds; many are not', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const requests = async () => {
    await listPayouts('sandbox', {})
    await readingsDone()
    return desk.requests.get('/payouts') ?? 0
  }
  const age = (payouts: number) =>
    desk.db.update(payoutProgress).set({ asOf: sql`clock_timestamp() - interval '6 seconds'`, records: payouts })
  expect(await requests()).toBe(1)
  expect(await requests()).toBe(1)
  await age(500)
  expect(await requests()).toBe(2)
  await desk.service.service.db
    .update(servicePayouts)
    .set({ status: 'teleported' })
    .where(eq(servicePayouts.status, 'requested'))
  await age(501)
  const asOf = (await desk.db.select().from(payoutProgress))[0]?.asOf
  expect(await requests()).toBe(3)
  const [state] = await desk.db.select().from(payoutProgress)
  expect(state?.asOf, 'of many only the newest page is read').toEqual(asOf)
  expect((await listPayouts('sandbox', { status: 'teleported' })).matching).toBe(1)
})
