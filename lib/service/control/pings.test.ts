import { createPublicKey, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { webhookSignatureHeader } from '#lib/contract/events.ts'
import { dayMs, hourMs, minuteMs } from '#lib/shared/time.ts'
import { verifyWebhook } from '#lib/signing/webhook-signature.ts'
import { readSandboxNow } from '../clock.ts'
import { webhookMessages, webhooks } from '../tables/webhooks.ts'
import { openTestService, type TestService } from '../testing.ts'
import { openDispatcher } from '../webhooks/dispatcher.ts'
import { readWebhookPublicKeyPem } from '../webhooks/signer.ts'
import { addWebhook, advance, openReceivers, recordNumbered } from '../webhooks/testing.ts'
import { createWakeSignal } from '../webhooks/wake-signal.ts'

const untilSuspendedMs = 27 * hourMs + 35 * minuteMs + 5000
const receivers = openReceivers()
let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ transport: receivers.transport })
})
afterAll(() => opened.close())

let places = 0
/** A webhook with an address of its own, whose receiver responds as `isWell` says. */
async function webhookAt(isWell: () => boolean) {
  const url = `https://receiver.example/${(places += 1)}`
  receivers.response(url, isWell)
  const id = await addWebhook(opened.service.db, url, { status: 'healthy' })
  return { id, url, row: () => rowOf(id) }
}

async function rowOf(id: string) {
  const [row] = await opened.service.db.select().from(webhooks).where(eq(webhooks.id, id))
  if (!row) throw new Error('there is no such webhook')
  return row
}

const sendTest = (webhookId: string) => opened.control('POST', '/pings', { webhookId })
const forgetMessages = () => opened.service.db.delete(webhookMessages)

test('a test is a signed ping over HTTP with the rules of every delivery: only 200 counts, and only allowed addresses are called', async () => {
  const { db } = opened.service
  const received: { body: Buffer; signature: string }[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ body: Buffer.concat(chunks), signature: String(request.headers[webhookSignatureHeader]) })
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { transport } = opened.service
  delete opened.service.transport
  onTestFinished(() => {
    Object.assign(opened.service, { transport })
    server.closeAllConnections()
    server.close()
  })
  const webhookId = await addWebhook(db, `http://127.0.0.1:${port}/`, { status: 'healthy' })

  const { json } = await sendTest(webhookId)
  expect(json).toEqual({ webhookId, delivered: true, status: 200, durationMs: expect.any(Number), problem: null })
  const [ping] = received
  expect(JSON.parse(String(ping?.body))).toMatchObject({ event: 'ping', data: {} })
  const publicKey = createPublicKey(await readWebhookPublicKeyPem(opened.service))
  expect(verifyWebhook(ping?.body ?? '', ping?.signature ?? '', publicKey)).toBe(true)

  status = 204
  expect((await sendTest(webhookId)).json).toMatchObject({ delivered: false, status: 204, problem: 'HTTP_STATUS' })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect((await sendTest(webhookId)).json).toMatchObject({ delivered: false, status: null, problem: 'NO_CONNECTION' })
  const hostile = await addWebhook(db, 'https://169.254.169.254/', { status: 'healthy' })
  expect((await sendTest(hostile)).json).toMatchObject({ delivered: false, status: null, problem: 'ADDRESS_REFUSED' })
})

test('a test that succeeds resumes a suspended webhook at once, and its queue flows on in order', async () => {
  let isWell = false
  const { id, url, row } = await webhookAt(() => isWell)
  await recordNumbered(opened.service.db, [1, 2])
  await advance(opened.service, untilSuspendedMs + hourMs)
  expect((await row()).status).toBe('error')
  isWell = true
  const before = await readSandboxNow(opened.service.db)
  expect((await sendTest(id)).json).toMatchObject({ delivered: true, status: 200 })
  const after = await row()
  expect(after).toMatchObject({ status: 'healthy', attempts: 0, dueAt: null, pingId: null })
  expect(after.lastSuccessfulDeliveryTime?.getTime()).toBeGreaterThanOrEqual(before.getTime())
  await advance(opened.service, 1000)
  expect(
    receivers
      .attempts(url)
      .filter(({ taken }) => taken)
      .map(({ data }) => data.number ?? 'ping'),
  ).toEqual(['ping', 1, 2])
  await forgetMessages()
})

test('a test or a retry that fails changes nothing for a suspended webhook: the same retries, the same 288 pings, the same hour of deletion', async () => {
  const { id, url, row } = await webhookAt(() => false)
  await recordNumbered(opened.service.db, [1])
  await advance(opened.service, minuteMs)
  const unhealthy = await row()
  expect((await sendTest(id)).json).toMatchObject({ delivered: false, status: 500, problem: 'HTTP_STATUS' })
  expect(await row()).toEqual(unhealthy)

  await advance(opened.service, untilSuspendedMs)
  const suspended = await row()
  expect(suspended.status).toBe('error')
  const tested = new Set<string>()
  for (const path of ['/pings', '/pings', '/deliveries/retry']) {
    await opened.control('POST', path, { webhookId: id })
    tested.add(receivers.attempts(url).at(-1)?.id ?? '')
  }
  expect(await row()).toEqual(suspended)
  await advance(opened.service, dayMs)
  expect((await row()).status).toBe('removed')
  const pings = receivers
    .attempts(url)
    .filter(({ data, id: eventId }) => data.number === undefined && !tested.has(eventId))
  // The first test was made before the suspension.
  expect(pings.length - 1).toBe(288)
  await forgetMessages()
})

test('a ping of the schedule that ends after a test succeeded does not suspend the webhook again', async () => {
  const { id, row } = await webhookAt(() => true)
  const { db } = opened.service
  await db
    .update(webhooks)
    .set({ status: 'error', attempts: 5, dueAt: new Date(0), pingId: randomUUID() })
    .where(eq(webhooks.id, id))
  const hanging = Promise.withResolvers<void>()
  const schedule = openDispatcher({
    db,
    transport: async () => {
      await hanging.promise
      return { taken: false, status: null, problem: 'TIMEOUT' }
    },
    wakeSignal: createWakeSignal(),
    holdsClockLock: true,
  })
  expect(await schedule.startDue()).toBe(1)
  expect((await sendTest(id)).json.delivered).toBe(true)
  hanging.resolve()
  await vi.waitFor(() => expect(schedule.pending().finished).toBe(1))
  await schedule.settleFinished()
  expect(await row()).toMatchObject({ status: 'healthy', attempts: 0, lastFailedDeliveryTime: null })
})

test('while a message is being delivered, its outcome decides the webhook’s state', async () => {
  const { id, row } = await webhookAt(() => true)
  const { db } = opened.service
  await recordNumbered(db, [1])
  const schedule = openDispatcher({
    db,
    transport: async () => ({ taken: false, status: 503, problem: 'HTTP_STATUS' }),
    wakeSignal: createWakeSignal(),
    holdsClockLock: true,
  })
  await schedule.startDue()
  const leased = await row()
  expect((await sendTest(id)).json.delivered).toBe(true)
  expect(await row()).toEqual(leased)
  await vi.waitFor(() => expect(schedule.pending().running).toBe(0))
  await schedule.settleFinished()
  expect(await row()).toMatchObject({ status: 'unhealthy', attempts: 1 })
})

test('an unknown or removed webhook is 404 WEBHOOK_NOT_FOUND, and nothing is sent', async () => {
  const { id, url } = await webhookAt(() => true)
  await opened.service.db.update(webhooks).set({ status: 'removed' }).where(eq(webhooks.id, id))
  for (const webhookId of [id, randomUUID()])
    expect(await sendTest(webhookId)).toMatchObject({ status: 404, json: { code: 'WEBHOOK_NOT_FOUND' } })
  expect(receivers.attempts(url)).toEqual([])
})

test.each([{}, { webhookId: 'one' }, { webhookId: null }, []])('refuses %j', async (body) => {
  expect(await opened.control('POST', '/pings', body)).toMatchObject({
    status: 400,
    json: { code: 'INVALID_PARAMETERS' },
  })
})
