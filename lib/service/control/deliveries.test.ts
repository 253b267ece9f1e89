import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { readPublicKey } from '#lib/signing/keys.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import { verifyWebhook } from '#lib/signing/webhook-signature.ts'
import { recordAnyEvent } from '../events.ts'
import { webhooks } from '../tables/webhooks.ts'
import { openTestService, type TestService } from '../testing.ts'
import { openDispatcher } from '../webhooks/dispatcher.ts'
import { addWebhook, advance, openReceivers, recordNumbered } from '../webhooks/testing.ts'
import { createWakeSignal } from '../webhooks/wake-signal.ts'

const receivers = openReceivers()
let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ transport: receivers.transport })
})
afterAll(() => opened.close())

type Logged = Record<'id' | 'eventId' | 'event' | 'kind' | 'at', string> & {
  attempt: number
  status: number | null
  problem: string | null
  nextAt: string | null
}

async function logOf(webhookId: string, search = '') {
  const { status, json } = await opened.control('GET', `/deliveries?webhookId=${webhookId}${search}`)
  expect(status).toBe(200)
  return json as { attempts: Logged[]; nextCursor: string | null; next: object | null }
}

test('the log has every attempt with its reason and the next one, also a test and a replay', async () => {
  const url = 'https://receiver.example/log'
  let isWell = false
  receivers.response(url, () => isWell)
  const webhookId = await addWebhook(opened.service.db, url, { status: 'healthy' })
  await recordNumbered(opened.service.db, [1])
  await advance(opened.service, secondMs)
  await advance(opened.service, 5 * secondMs)
  const failing = await logOf(webhookId)
  expect(failing.attempts).toMatchObject([
    { kind: 'delivery', attempt: 2, status: 500, problem: 'HTTP_STATUS' },
    { kind: 'delivery', attempt: 1, status: 500, problem: 'HTTP_STATUS' },
  ])
  const [second, first] = failing.attempts
  expect(second?.eventId).toBe(first?.eventId)
  expect(first?.nextAt).toBe(second?.at)
  expect(failing.next).toMatchObject({ at: second?.nextAt, attempt: 3, kind: 'delivery' })

  isWell = true
  await opened.control('POST', '/pings', { webhookId })
  await advance(opened.service, 5 * minuteMs)
  expect((await logOf(webhookId)).attempts).toMatchObject([
    { kind: 'delivery', status: 200, problem: null, nextAt: null },
    { kind: 'test', event: 'ping', status: 200 },
    {},
    {},
  ])
  const eventId = first?.eventId ?? ''
  const replayed = await opened.control('POST', '/deliveries/replay', { webhookId, eventId })
  expect(replayed.json).toMatchObject({ delivered: true, status: 200, problem: null })
  const bodies = receivers.attempts(url).filter(({ id }) => id === eventId)
  expect(new Set(bodies.map(({ body }) => body)).size).toBe(1)
  const after = await logOf(webhookId, '&limit=1')
  expect(after.attempts).toMatchObject([{ kind: 'replay', eventId }])
  expect((await logOf(webhookId, `&limit=1&cursor=${after.nextCursor}`)).attempts).toMatchObject([{ kind: 'delivery' }])
})

test('an unknown webhook or event is named', async () => {
  const webhookId = randomUUID()
  expect((await opened.control('GET', `/deliveries?webhookId=${webhookId}`)).json.code).toBe('WEBHOOK_NOT_FOUND')
  const known = await addWebhook(opened.service.db, 'https://receiver.example/unknown', { status: 'healthy' })
  const replay = (of: string) => opened.control('POST', '/deliveries/replay', { webhookId: of, eventId: randomUUID() })
  expect((await replay(webhookId)).json.code).toBe('WEBHOOK_NOT_FOUND')
  expect((await replay(known)).json).toMatchObject({
    code: 'INVALID_PARAMETERS',
    message: 'eventId: must be an event of the last 90 days',
  })
})

test('what waits is listed, retried now and skipped, and an attempt shows what was sent', async () => {
  const url = 'https://receiver.example/poison'
  const poison: string[] = []
  receivers.response(url, ({ id }) => !poison.includes(id))
  const { db } = opened.service
  const webhookId = await addWebhook(db, url, { status: 'healthy' })
  const queue = async () => (await opened.control('GET', `/deliveries/queue?webhookId=${webhookId}`)).json
  await recordNumbered(db, [1, 2, 3])
  const { total, waiting } = await queue()
  expect([total, waiting.length]).toEqual([3, 3])
  poison.push(waiting[0].eventId)
  await advance(opened.service, secondMs)
  expect((await queue()).total).toBe(3)

  const retried = await opened.control('POST', '/deliveries/retry', { webhookId })
  expect(retried.json).toMatchObject({ webhookId, attempt: 2, kind: 'delivery' })
  await advance(opened.service, 1)
  const log = await logOf(webhookId)
  expect(log.attempts).toMatchObject([{ attempt: 2, status: 500 }, { attempt: 1 }])
  expect((await logOf(webhookId, `&eventId=${waiting[1].eventId}`)).attempts).toEqual([])
  expect((await logOf(webhookId, '&event=no.such')).attempts).toEqual([])
  const { attempt, request } = (await opened.control('GET', `/deliveries/attempt?id=${log.attempts[0]?.id}`)).json
  expect(attempt).toMatchObject({ eventId: poison[0], attempt: 2 })
  expect(request).toMatchObject({ method: 'POST', url, body: waiting[0].body })
  const signature = request.headers['x-access-signature']
  expect(verifyWebhook(request.body, signature, readPublicKey(testKeyPair.publicKey))).toBe(true)

  const skip = (eventId: unknown) => opened.control('POST', '/deliveries/skip', { webhookId, eventId })
  expect((await skip(poison[0])).json).toMatchObject({ eventId: poison[0], queued: 2 })
  await advance(opened.service, 1)
  expect(await queue()).toEqual({ total: 0, waiting: [] })
  expect((await skip(poison[0])).json).toMatchObject({
    code: 'INVALID_PARAMETERS',
    message: 'eventId: must be an event that waits for this webhook',
  })
  expect((await opened.control('POST', '/deliveries/retry', { webhookId })).json.message).toBe(
    'webhookId: nothing waits for a retry',
  )
})

test('a message skipped during an attempt at it frees its queue, and the end of the attempt changes nothing', async () => {
  const { service } = opened
  const { db } = service
  await db.update(webhooks).set({ status: 'removed' })
  const url = 'https://receiver.example/hanging'
  const webhookId = await addWebhook(db, url, { status: 'healthy' })
  await recordNumbered(db, [1])
  const hanging = Promise.withResolvers<void>()
  const dispatcher = openDispatcher({
    db,
    transport: async () => {
      await hanging.promise
      return { taken: false, status: null, problem: 'TIMEOUT' }
    },
    wakeSignal: createWakeSignal(),
    holdsClockLock: true,
  })
  expect(await dispatcher.startDue()).toBe(1)
  const { waiting } = (await opened.control('GET', `/deliveries/queue?webhookId=${webhookId}`)).json
  const { eventId } = waiting[0]
  expect((await opened.control('POST', '/deliveries/skip', { webhookId, eventId })).json).toMatchObject({ queued: 0 })
  hanging.resolve()
  await vi.waitFor(() => expect(dispatcher.pending().finished).toBe(1))
  await dispatcher.settleFinished()
  const [row] = await db.select().from(webhooks).where(eq(webhooks.id, webhookId))
  expect(row).toMatchObject({ status: 'healthy', attempts: 0, dueAt: null, heldBy: null })
  await advance(service, minuteMs)
  await recordNumbered(db, [2])
  await advance(service, 1)
  expect(receivers.attempts(url).map(({ data }) => data.number)).toEqual([2])
})

test('a webhook that is held back by a message that is gone waits for the next one', async () => {
  const { db } = opened.service
  const url = 'https://receiver.example/gone'
  const webhookId = await addWebhook(db, url, { status: 'unhealthy' })
  await db
    .update(webhooks)
    .set({ attempts: 1, dueAt: new Date(0), heldBy: 1 })
    .where(eq(webhooks.id, webhookId))
  await advance(opened.service, 1)
  expect(receivers.attempts(url)).toEqual([])
  const [row] = await db.select().from(webhooks).where(eq(webhooks.id, webhookId))
  expect(row).toMatchObject({ attempts: 0, dueAt: null, heldBy: null, leaseId: null })
})

test('a replay that takes long ends with what it has sent, and says that there are more', async () => {
  const url = 'https://receiver.example/slow'
  const { db } = opened.service
  await advance(opened.service, minuteMs)
  const since = (await opened.control('GET', '/clock')).json.now as string
  await recordNumbered(db, [21, 22, 23])
  const webhookId = await addWebhook(db, url, { status: 'healthy' })
  let passedMs = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs)
  onTestFinished(() => clock.mockRestore())
  receivers.response(url, () => {
    passedMs += 11 * secondMs
    return true
  })
  const { json } = await opened.control('POST', '/deliveries/replay-since', { webhookId, since })
  expect(json).toMatchObject({ delivered: 2, failed: null, hasMore: true })
  expect(receivers.attempts(url)).toHaveLength(2)
  const after = json.events[1].eventId
  const rest = await opened.control('POST', '/deliveries/replay-since', { webhookId, since, after })
  expect(rest.json).toMatchObject({ events: [json.events[2]], delivered: 1, hasMore: false })
})

test('every event since a time is sent again in order, after a preview, until one is not taken', async () => {
  const url = 'https://receiver.example/since'
  const { db } = opened.service
  await advance(opened.service, minuteMs)
  const since = (await opened.control('GET', '/clock')).json.now as string
  await recordNumbered(db, [11, 12, 13])
  const webhookId = await addWebhook(db, url, { status: 'healthy' })
  receivers.response(url, () => true)
  const replay = async (preview?: boolean) =>
    (await opened.control('POST', '/deliveries/replay-since', { webhookId, since, preview })).json
  const preview = await replay(true)
  expect(preview).toMatchObject({ delivered: 0, failed: null, hasMore: false })
  expect(preview.events).toHaveLength(3)
  expect(receivers.attempts(url)).toEqual([])
  expect(await replay()).toMatchObject({ delivered: 3, failed: null, events: preview.events })
  const ids = preview.events.map(({ eventId }: { eventId: string }) => eventId)
  expect(receivers.attempts(url).map(({ id }) => id)).toEqual(ids)
  receivers.response(url, ({ id }) => id !== ids[1])
  expect(await replay()).toMatchObject({ delivered: 1, failed: { eventId: ids[1], status: 500 } })
})

test('a replay has only the events that the webhook subscribes to', async () => {
  const url = 'https://receiver.example/subscribed'
  const { db } = opened.service
  await advance(opened.service, minuteMs)
  const since = (await opened.control('GET', '/clock')).json.now as string
  await recordNumbered(db, [31])
  await recordAnyEvent({ db, now: new Date(since) }, 'cardaccount.created', { id: randomUUID() })
  const webhookId = await addWebhook(db, url, { status: 'healthy', events: ['cardaccount.created'] })
  receivers.response(url, () => true)
  const replay = async (chosen: object) =>
    (await opened.control('POST', '/deliveries/replay-since', { webhookId, since, ...chosen })).json
  expect((await replay({ preview: true })).events).toMatchObject([{ event: 'cardaccount.created' }])
  expect(await replay({})).toMatchObject({ delivered: 1, failed: null })
  expect(await replay({ event: 'card.updated' })).toMatchObject({ events: [], delivered: 0 })
  expect(receivers.attempts(url)).toHaveLength(1)
})
