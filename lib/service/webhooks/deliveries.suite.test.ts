import { createServer, type AddressInfo } from 'node:net'
import { asc, eq } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '#lib/db/connection.ts'
import { deleteExpired } from '#lib/db/retention.ts'
import { openTestDatabase } from '#lib/db/testing.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { dayMs, hourMs, minuteMs } from '#lib/shared/time.ts'
import { readSandboxNow } from '../clock.ts'
import { recordEvent } from '../events.ts'
import { callEndpoint } from '../payouts/testing.ts'
import { retentionRules } from '../retention.ts'
import { cardAccounts } from '../tables/card-accounts.ts'
import { events, webhookMessages, webhooks } from '../tables/webhooks.ts'
import { addCard } from '../testing-records.ts'
import { testService, type TestService } from '../testing.ts'
import { startDeliveries } from './deliveries.ts'
import { openDispatcher } from './dispatcher.ts'
import { attempted } from './testing-attempts.ts'
import { addWebhook, advance, endLeases, numberedEvent, openReceivers, recordNumbered } from './testing.ts'
import { httpTransport } from './transport.ts'
import { createWakeSignal } from './wake-signal.ts'

const url = 'https://receiver.example/hook'
const soon = { timeout: 10_000, interval: 5 }

async function create(opened: TestService, body: object): Promise<string> {
  const { id } = await callEndpoint(opened, 'createWebhook', { body: { url, events: ['*'], ...body } })
  return id
}

async function statsOf(opened: TestService, webhookId: string) {
  const [stats] = await callEndpoint(opened, 'listWebhookStats', { query: { webhookId } })
  return stats
}

async function statusOf({ service: { db } }: TestService, id: string) {
  return (await db.select().from(webhooks).where(eq(webhooks.id, id)))[0]?.status
}

test('a new webhook gets a ping with any subscription, and is healthy once that succeeds', async () => {
  const receivers = openReceivers()
  const opened = await testService({ transport: receivers.transport })
  const id = await create(opened, { events: ['payout.created'] })
  expect(await statusOf(opened, id)).toBe('created')
  expect(await statsOf(opened, id)).toMatchObject({ status: 'healthy', queuedMessages: 1 })
  const { now } = await advance(opened.service, 1000)
  expect(receivers.attempts(url)).toMatchObject([{ event: 'ping', data: {}, taken: true }])
  expect(await statusOf(opened, id)).toBe('healthy')
  const stats = await statsOf(opened, id)
  expect(stats).toMatchObject({ status: 'healthy', queuedMessages: 0, lastFailedDeliveryTime: null })
  expect(Date.parse(stats?.lastSuccessfulDeliveryTime ?? '')).toBeLessThanOrEqual(now.getTime())
})

test('an initial ping that fails is retried on the schedule of every message', async () => {
  const receivers = openReceivers()
  const opened = await testService({ transport: receivers.transport })
  const id = await create(opened, {})
  receivers.response(url, () => receivers.attempts(url).length === 3)
  await advance(opened.service, 6000)
  expect(receivers.attempts(url)).toHaveLength(2)
  expect(await statusOf(opened, id)).toBe('unhealthy')
  await advance(opened.service, 6 * minuteMs)
  expect(new Set(receivers.attempts(url).map(({ body }) => body)).size).toBe(1)
  expect(receivers.attempts(url).map(({ taken }) => taken)).toEqual([false, false, true])
  expect(await statusOf(opened, id)).toBe('healthy')
})

test('only subscribers get an event, each the same bytes; a rolled-back event is not delivered', async () => {
  const receivers = openReceivers()
  const opened = await testService({ transport: receivers.transport })
  const { db } = opened.service
  const [all, one, other] = ['/all', '/one', '/other'].map((path) => `https://receiver.example${path}`) as [
    string,
    string,
    string,
  ]
  await addWebhook(db, all, { status: 'healthy' })
  await addWebhook(db, one, { status: 'healthy', events: ['card.teleported', numberedEvent] })
  await addWebhook(db, other, { status: 'healthy', events: ['payout.created'] })
  const undone = inTransaction(db, async (tx) => {
    await recordEvent({ db: tx, now: new Date() }, numberedEvent, { number: 0 })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await recordNumbered(db, [1])
  await advance(opened.service, 1000)

  const [event] = await db.select().from(events)
  expect(receivers.attempts(all)).toMatchObject([
    { id: event?.id, event: numberedEvent, data: { number: 1 }, time: event?.time.toISOString() },
  ])
  expect(receivers.attempts(one).map(({ body }) => body)).toEqual(receivers.attempts(all).map(({ body }) => body))
  expect(receivers.attempts(other)).toEqual([])
})

test('a message that fails holds back the rest, and the queue is counted', async () => {
  const receivers = openReceivers()
  const opened = await testService({ transport: receivers.transport })
  const { db } = opened.service
  const id = await addWebhook(db, url, { status: 'healthy' })
  receivers.response(url, () => receivers.attempts(url).length > 3)
  await recordNumbered(db, [1, 2])
  await advance(opened.service, minuteMs)
  await recordNumbered(db, [3])
  expect(await statsOf(opened, id)).toMatchObject({ status: 'unhealthy', queuedMessages: 3 })
  await advance(opened.service, hourMs)
  expect(receivers.attempts(url).map(({ data }) => data.number)).toEqual([1, 1, 1, 1, 2, 3])
  expect(await statsOf(opened, id)).toMatchObject({ status: 'healthy', queuedMessages: 0 })
})

test('a removed webhook gets nothing more, and what it is being sent changes nothing', async () => {
  const receivers = openReceivers()
  const opened = await testService({ transport: receivers.transport })
  const { db } = opened.service
  const id = await addWebhook(db, url, { status: 'healthy' })
  receivers.response(url, async () => {
    await callEndpoint(opened, 'removeWebhook', { body: { webhookId: id } })
    return false
  })
  await recordNumbered(db, [1, 2])
  await advance(opened.service, 3 * dayMs)
  await recordNumbered(db, [3])
  await advance(opened.service, dayMs)
  expect(receivers.attempts(url)).toHaveLength(1)
  expect(await statsOf(opened, id)).toMatchObject({ status: 'deleted', queuedMessages: 0 })
  expect(await db.select().from(webhookMessages)).toEqual([])
})

test('moving the clock delivers what it causes before the response: the capture of an authorization', async () => {
  const receivers = openReceivers()
  const opened = await testService({ transport: receivers.transport })
  const { service } = opened
  const { cardAccountId, cardId } = await addCard(service.db, { status: 'active' })
  await service.db.update(cardAccounts).set({ balance: '1000' })
  await addWebhook(service.db, url, { status: 'healthy', events: ['cardaccount.transaction.updated'] })
  await callEndpoint(opened, 'simulateAuthorization', { body: { cardAccountId, cardId, amount: 10, currency: 'HKD' } })
  const before = await readSandboxNow(service.db)
  const { json } = await opened.control('POST', '/clock', { advance: 'PT25H' })
  expect(json.performed).toBe(2)
  expect(receivers.attempts(url)).toMatchObject([{ data: { status: 'posted' }, taken: true }])
  const deliveredAt = Date.parse(receivers.attempts(url)[0]?.time ?? '')
  expect(deliveredAt - before.getTime()).toBeLessThanOrEqual(24 * hourMs)
})

test('several webhooks are attempted in order of due time, those of one instant at once', async () => {
  const order: string[] = []
  let underWay = 0
  let mostUnderWay = 0
  const opened = await testService({
    transport: async ({ url: address }) => {
      order.push(new URL(address).pathname)
      mostUnderWay = Math.max(mostUnderWay, (underWay += 1))
      await new Promise(setImmediate)
      underWay -= 1
      return attempted(false)
    },
  })
  const { db } = opened.service
  await addWebhook(db, 'https://receiver.example/a', { status: 'healthy' })
  await recordNumbered(db, [1])
  await advance(opened.service, 2000)
  await addWebhook(db, 'https://receiver.example/b', { status: 'healthy' })
  await addWebhook(db, 'https://receiver.example/c', { status: 'healthy' })
  await recordNumbered(db, [2])
  await advance(opened.service, 10 * minuteMs)
  const turns = ['/a', '/b/c', '/a', '/b/c', '/a', '/b/c']
  expect(order.join('').replaceAll('/c/b', '/b/c')).toBe(turns.join(''))
  expect(mostUnderWay).toBe(2)
})

test('endpoints that hang while the clock is moved delay no other endpoint, and follow their own schedule', async () => {
  const isWellAttempted = Promise.withResolvers<void>()
  const opened = await testService({
    transport: async ({ url: address }) => {
      if (address.endsWith('/well')) isWellAttempted.resolve()
      else await isWellAttempted.promise
      return attempted(false)
    },
  })
  const { db } = opened.service
  const start = await readSandboxNow(db)
  const later = (ms: number) => new Date(start.getTime() + ms)
  for (const [path, dueInMs] of [
    ['/hangs', hourMs],
    ['/hangs-too', 2 * hourMs],
    ['/well', 5 * hourMs],
  ] as const) {
    const id = await addWebhook(db, `https://receiver.example${path}`, { status: 'unhealthy' })
    await db
      .update(webhooks)
      .set({ attempts: 1, dueAt: later(dueInMs) })
      .where(eq(webhooks.id, id))
  }
  await recordNumbered(db, [1])
  const { performed } = await advance(opened.service, 6 * hourMs)

  const states = (await db.select().from(webhooks)).map(({ url: address, lastFailedDeliveryTime, dueAt }) => [
    new URL(address).pathname,
    { lastFailedDeliveryTime, dueAt },
  ])
  const failedAt = (minutes: number, nextMinutes: number) => ({
    lastFailedDeliveryTime: later(minutes * minuteMs),
    dueAt: later(nextMinutes * minuteMs),
  })
  expect(Object.fromEntries(states)).toEqual({
    '/hangs': failedAt(60 + 5 + 30 + 120, 60 + 5 + 30 + 120 + 300),
    '/hangs-too': failedAt(120 + 5 + 30 + 120, 120 + 5 + 30 + 120 + 300),
    '/well': failedAt(300 + 5 + 30, 300 + 5 + 30 + 120),
  })
  expect(performed).toBe(4 + 4 + 3)
})

test('an endpoint that hangs costs an advance its time-out once, is suspended and removed, and slows no other endpoint', async () => {
  let received = 0
  // undici 7 connects once more after an attempt that it ends, and sends nothing: what arrives counts, not what connects.
  const silent = createServer((socket) => void socket.once('data', () => (received += 1)))
  const port = await new Promise<number>((resolve) =>
    silent.listen(0, '127.0.0.1', () => resolve((silent.address() as AddressInfo).port)),
  )
  onTestFinished(() => void silent.close())
  const sent = new Map<string, number>()
  const overHttp = httpTransport({ acceptsLoopbackWebhooks: true }, async () => 'unsigned', { timeoutMs: 3000 })
  const opened = await testService({
    transport: async (attempt) => {
      sent.set(attempt.url, (sent.get(attempt.url) ?? 0) + 1)
      return attempt.url.includes('127.0.0.1') ? overHttp(attempt) : attempted(false)
    },
  })
  const { db } = opened.service
  const hanging = `http://127.0.0.1:${port}/`
  const id = await addWebhook(db, hanging, { status: 'healthy' })
  await addWebhook(db, url, { status: 'healthy' })
  await recordNumbered(db, [1])
  const began = performance.now()
  const { performed } = await advance(opened.service, 3 * dayMs)
  const tookMs = performance.now() - began
  // 296 time-outs of 3 s would be 15 minutes.
  expect(tookMs).toBeLessThan(60_000)
  const rows = await db.select().from(webhooks)
  expect(rows.map(({ status }) => status)).toEqual(['removed', 'removed'])
  const [removed] = rows.filter((row) => row.id === id)
  expect(removed?.attempts).toBe(288)
  expect(performed).toBe(2 * (8 + 288))
  expect(sent.get(url)).toBe(8 + 288)
  expect(sent.get(hanging)).toBe(5)
  expect(received).toBe(5)
})

test('an endpoint that timed out and recovers while the clock is moved gets the rest of its queue', async () => {
  let times = 0
  const opened = await testService({
    transport: async () => {
      times += 1
      return times <= 2 ? { taken: false, status: null, problem: 'TIMEOUT' } : attempted(true)
    },
  })
  const { db } = opened.service
  await addWebhook(db, url, { status: 'healthy' })
  await recordNumbered(db, [1, 2, 3])
  await advance(opened.service, hourMs)
  expect(times).toBe(2 + 3)
  expect(await db.select().from(webhooks)).toMatchObject([{ status: 'healthy' }])
})

test('two processes share the queues: in order, and never two at once for one webhook', async () => {
  const { databaseUrl, close } = await openTestDatabase()
  const processes = [connect(databaseUrl, { max: 4 }), connect(databaseUrl, { max: 4 })] as const
  const received = new Map<string, number[]>()
  const busy = new Set<string>()
  const by = new Set<number>()
  let overlaps = 0
  const stops = processes.map((db, process) =>
    startDeliveries({
      db,
      settings: {} as never,
      transport: async ({ url: address, body }) => {
        if (busy.has(address)) overlaps += 1
        busy.add(address)
        by.add(process)
        await new Promise(setImmediate)
        received.set(address, [...(received.get(address) ?? []), JSON.parse(body).data.number])
        busy.delete(address)
        return attempted(true)
      },
    }),
  )
  onTestFinished(async () => {
    await Promise.all(stops.map((stop) => stop()))
    await Promise.all(processes.map((db) => db.$client.end()))
    await close()
  })
  const [db, second] = processes
  const addresses = Array.from({ length: 8 }, (_, place) => `https://receiver.example/${place}`)
  for (const address of addresses) await addWebhook(db, address, { status: 'healthy' })
  const numbers = Array.from({ length: 60 }, (_, place) => place)
  for (const number of numbers) await recordNumbered(number % 2 ? db : second, [number])
  await vi.waitFor(async () => expect(await db.$count(webhookMessages)).toBe(0), soon)
  for (const address of addresses) expect(received.get(address)).toEqual(numbers)
  expect(overlaps).toBe(0)
  expect(by.size).toBe(2)
})

test('an endpoint that does not respond delays no other', async () => {
  const receivers = openReceivers()
  const opened = await testService({ transport: receivers.transport })
  const { service } = opened
  const others = ['/a', '/b', '/c'].map((path) => `https://receiver.example${path}`)
  for (const address of [url, ...others]) await addWebhook(service.db, address, { status: 'healthy' })
  receivers.response(
    url,
    (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(false))),
  )
  const stop = startDeliveries(service)
  for (const number of [1, 2, 3]) await recordNumbered(service.db, [number])
  await vi.waitFor(() => {
    for (const address of others) expect(receivers.attempts(address)).toHaveLength(3)
  }, soon)
  expect(receivers.attempts(url)).toHaveLength(1)

  // Stopped: what was broken off is no failure, and is free for the next process at once.
  await stop()
  const [row] = await service.db.select().from(webhooks).where(eq(webhooks.url, url))
  expect(row).toMatchObject({ status: 'healthy', attempts: 0, leaseId: null, lastFailedDeliveryTime: null })
})

test('a kill between the response and its settlement sends the same bytes again, and the late settlement changes nothing', async () => {
  const receivers = openReceivers()
  const { service } = await testService({ transport: receivers.transport })
  const { db } = service
  const id = await addWebhook(db, url, { status: 'healthy' })
  await recordNumbered(db, [1, 2])
  const killed = openDispatcher({
    db,
    transport: async (attempt) => attempted(!(await receivers.transport(attempt)).taken),
    wakeSignal: createWakeSignal(),
    holdsClockLock: true,
  })
  expect(await killed.startDue()).toBe(1)
  await vi.waitFor(() => expect(killed.pending().finished).toBe(1), soon)

  const next = openDispatcher({
    db,
    transport: receivers.transport,
    wakeSignal: createWakeSignal(),
    holdsClockLock: true,
  })
  expect(await next.startDue()).toBe(0)
  await endLeases(db)
  await advance(service, 1000)
  await killed.settleFinished()

  const [first, second] = receivers.attempts(url)
  expect(receivers.attempts(url).map(({ data }) => data.number)).toEqual([1, 1, 2])
  expect(second?.body).toBe(first?.body)
  const [row] = await db.select().from(webhooks).where(eq(webhooks.id, id))
  expect(row).toMatchObject({ status: 'healthy', attempts: 0, dueAt: null, lastFailedDeliveryTime: null })
})

test('no process delivers while another one moves the clock', async () => {
  const receivers = openReceivers()
  const opened = await testService({ transport: receivers.transport })
  const { db } = opened.service
  await addWebhook(db, url, { status: 'healthy' })
  const background = openDispatcher({
    db,
    transport: async () => attempted(true),
    wakeSignal: createWakeSignal(),
    holdsClockLock: false,
  })
  const startedMeanwhile: number[] = []
  receivers.response(url, async () => {
    await addWebhook(db, 'https://receiver.example/second')
    startedMeanwhile.push(await background.startDue())
    return true
  })
  await recordNumbered(db, [1])
  await advance(opened.service, 1000)
  expect(startedMeanwhile).toEqual([0])
  expect(receivers.attempts('https://receiver.example/second')).toHaveLength(1)
  await addWebhook(db, 'https://receiver.example/third')
  expect(await background.startDue()).toBe(1)
})

test('a reset of the sandbox registers the console’s inbox again, with its health check', async () => {
  const receivers = openReceivers()
  const opened = await testService({ seeded: 1, transport: receivers.transport })
  const id = await create(opened, {})
  receivers.response(url, () => false)
  await advance(opened.service, 2 * dayMs)
  expect(await statusOf(opened, id)).toBe('error')
  await opened.control('POST', '/reset')
  const { webhooks: listed } = await callEndpoint(opened, 'listWebhooks')
  expect(listed).toMatchObject([{ url: opened.service.settings.consoleInboxUrl, status: 'created', events: ['*'] }])
  const before = receivers.attempts(url).length
  await advance(opened.service, dayMs)
  expect(receivers.attempts(url)).toHaveLength(before)
  expect(receivers.attempts(opened.service.settings.consoleInboxUrl ?? '')[0]).toMatchObject({
    event: 'ping',
    taken: true,
  })
})

test('events of past months are forgotten, and so is what was recorded while a webhook was being removed', async () => {
  const { service } = await testService()
  const { db } = service
  const id = await addWebhook(db, url, { status: 'removed' })
  await db.insert(webhookMessages).values({ webhookId: id, eventId: id, body: '{}' })
  await recordNumbered(db, [1])
  await advance(service, 89 * dayMs)
  await recordNumbered(db, [2])
  await advance(service, 32 * dayMs)
  await deleteExpired(service.db, retentionRules)
  const stored = await db.select().from(events).orderBy(asc(events.position))
  expect(stored.map(({ data }) => data)).toEqual([{ number: 2 }])
  expect(await db.select().from(webhookMessages)).toEqual([])
})
