import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#lib/shared/time.ts'
import { moveClockTo, readSandboxNow } from '../clock.ts'
import { callEndpoint } from '../payouts/testing.ts'
import { seededRandom } from '../seed/random.ts'
import { webhooks } from '../tables/webhooks.ts'
import { testService, type TestService } from '../testing.ts'
import { openDispatcher } from './dispatcher.ts'
import { addWebhook, advance, endLeases, openReceivers, recordNumbered } from './testing.ts'
import { createWakeSignal } from './wake-signal.ts'

const untilSuspendedMs = 27 * hourMs + 35 * minuteMs + 5000
const url = 'https://receiver.example/hook'

async function stateOf(opened: TestService, id: string) {
  const [row] = await opened.service.db.select().from(webhooks).where(eq(webhooks.id, id))
  if (!row) throw new Error('there is no such webhook')
  return row
}

async function statsOf(opened: TestService, webhookId: string) {
  const [stats] = await callEndpoint(opened, 'listWebhookStats', { query: { webhookId } })
  return stats
}

test('a success on ping k resumes and drains the queue in order, for k = 1 … 288', async () => {
  const receivers = openReceivers()
  const { service } = await testService({ transport: receivers.transport })
  const ks = Array.from({ length: 288 }, (_, place) => place + 1)
  const address = (k: number) => `https://receiver.example/${k}`
  for (const k of ks) {
    await addWebhook(service.db, address(k), { status: 'healthy' })
    let pings = 0
    let isWell = false
    receivers.response(address(k), ({ data }) => {
      if (data.number === undefined) pings += 1
      if (pings === k) isWell = true
      return isWell
    })
  }
  await recordNumbered(service.db, [1, 2, 3])
  await advance(service, untilSuspendedMs + dayMs + minuteMs)

  for (const k of ks) {
    const numbers = receivers.attempts(address(k)).map(({ data }) => data.number ?? 'ping')
    expect(numbers).toEqual([...Array(8).fill(1), ...Array(k).fill('ping'), 1, 2, 3])
  }
  const rows = await service.db.select().from(webhooks)
  expect(rows.filter(({ status }) => status !== 'healthy')).toEqual([])
}, 120_000)

test('without a success there are exactly 288 pings 300 s apart, and removal 24:00:00 after the suspension', async () => {
  const receivers = openReceivers()
  const opened = await testService({ transport: receivers.transport })
  const { service } = opened
  const id = await addWebhook(service.db, url, { status: 'healthy' })
  receivers.response(url, () => false)
  await recordNumbered(service.db, [1, 2])

  await advance(service, untilSuspendedMs - minuteMs)
  expect((await stateOf(opened, id)).status).toBe('unhealthy')
  await advance(service, 2 * minuteMs)
  const suspended = await stateOf(opened, id)
  expect(suspended.status).toBe('error')
  const suspendedMs = suspended.lastFailedDeliveryTime?.getTime() ?? 0
  expect(await statsOf(opened, id)).toMatchObject({ status: 'suspended', queuedMessages: 2 })

  await advance(service, suspendedMs + dayMs - 2000 - (await readSandboxNow(service.db)).getTime())
  expect(await statsOf(opened, id)).toMatchObject({ status: 'suspended', queuedMessages: 2 })
  await advance(service, minuteMs)

  const pings = receivers.attempts(url).filter(({ data }) => data.number === undefined)
  expect(pings.map(({ time }) => new Date(time).getTime() - suspendedMs)).toEqual(
    Array.from({ length: 288 }, (_, place) => (place + 1) * 300_000),
  )
  expect(new Set(pings.map(({ id: pingId }) => pingId)).size).toBe(288)
  expect(await statsOf(opened, id)).toMatchObject({
    status: 'deleted',
    queuedMessages: 0,
    lastFailedDeliveryTime: new Date(suspendedMs + dayMs).toISOString(),
  })
  await advance(service, dayMs)
  expect(receivers.attempts(url)).toHaveLength(8 + 288)
})

test('the same when the process is restarted, or killed in the middle of an attempt, at random points', async () => {
  const receivers = openReceivers()
  const opened = await testService({ transport: receivers.transport })
  const { service } = opened
  const id = await addWebhook(service.db, url, { status: 'healthy' })
  receivers.response(url, () => false)
  await recordNumbered(service.db, [1])
  await advance(service, 1000)
  const startMs = (await stateOf(opened, id)).lastFailedDeliveryTime?.getTime() ?? 0

  const random = seededRandom('restarts')
  let kills = 0
  while ((await stateOf(opened, id)).status !== 'removed') {
    const { dueAt } = await stateOf(opened, id)
    if (dueAt && random.chance(40)) {
      // Killed: the attempt was made, and nothing of it is written down.
      const { db } = service
      const killed = openDispatcher({
        db,
        transport: receivers.transport,
        wakeSignal: createWakeSignal(),
        holdsClockLock: true,
      })
      await moveClockTo(service.db, dueAt)
      expect(await killed.startDue()).toBe(1)
      await endLeases(service.db)
      kills += 1
    }
    await advance(service, random.between(1, 3 * hourMs))
  }
  const pings = receivers.attempts(url).filter(({ data }) => data.number === undefined)
  const once = [...new Map(pings.map((ping) => [ping.id, ping])).values()]
  expect(once.map(({ time }) => new Date(time).getTime() - startMs)).toEqual(
    Array.from({ length: 288 }, (_, place) => untilSuspendedMs + (place + 1) * 300_000),
  )
  expect(pings.length).toBeGreaterThanOrEqual(288)
  expect(kills).toBeGreaterThan(0)
  expect((await stateOf(opened, id)).lastFailedDeliveryTime?.getTime()).toBe(startMs + untilSuspendedMs + dayMs)
})
