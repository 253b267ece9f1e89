import { randomUUID } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { events as serviceEvents, webhookMessages, webhooks as serviceWebhooks } from '#lib/service/tables/webhooks.ts'
import { attempted } from '#lib/service/webhooks/testing-attempts.ts'
import type { Attempted } from '#lib/service/webhooks/transport.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { replayDelivery, replaySince, retryDelivery, skipDelivery, testWebhook } from './control.ts'
import { listDeliveries, previewReplay, readDelivery, readDeliveryQueue } from './deliveries.ts'
import { pollWebhooks } from './poll.ts'
import { readWebhooks } from './read.ts'

let desk: TestConsole
let webhookId: string
let controlCalls: string[]

/** The console beside the built-in service, with a suspended webhook whose endpoint responds `attempt`. */
beforeEach(async () => {
  desk = await openConsole({ seeded: 1, serviceSettings: { acceptsBasic: false } })
  process.env.BUILT_IN_SERVICE = 'on'
  onTestFinished(() => void delete process.env.BUILT_IN_SERVICE)
  controlCalls = []
  desk.intercept.before = async ({ method = 'GET', url = '' }) => {
    if (!url.startsWith('/service/control')) return false
    controlCalls.push(`${method} ${url.slice('/service/control'.length)}`)
    return false
  }
  webhookId = randomUUID()
  await desk.service.service.db.insert(serviceWebhooks).values({
    id: webhookId,
    name: 'ledger-sync',
    url: 'https://ledger.example.com/in',
    status: 'error',
    events: ['*'],
    createdAt: new Date(),
    dueAt: new Date(Date.now() + 100_000),
  })
  await desk.signIn('operations')
  await pollWebhooks('sandbox', 0)
})

function responding(attempt: Attempted): void {
  desk.service.service.transport = async () => attempt
}

async function lastAudit() {
  const [entry] = await desk.db.select().from(auditEntries).orderBy(desc(auditEntries.number)).limit(1)
  return entry && { act: entry.act, outcome: entry.outcome, code: entry.code, of: entry.targetId, who: entry.staffRole }
}

test('a test that succeeds resumes the webhook, which the panel shows at once, and is audited', async () => {
  responding(attempted(true))
  const result = await testWebhook({ environment: 'sandbox', webhookId })
  expect(result).toMatchObject({ kind: 'sent', ping: { delivered: true, status: 200, problem: null } })
  const panel = await readWebhooks('sandbox')
  expect(panel.isTestOffered).toBe(true)
  expect(panel.webhooks).toMatchObject([{ id: webhookId, state: 'healthy' }])
  const audited = { act: 'webhook.test', outcome: 'done', code: null, of: webhookId, who: 'operations' }
  expect(await lastAudit()).toEqual(audited)
})

test('a failed test shows why, changes nothing, and is audited with its reason', async () => {
  responding({ taken: false, status: null, problem: 'TIMEOUT' })
  const result = await testWebhook({ environment: 'sandbox', webhookId })
  expect(result).toMatchObject({ kind: 'sent', ping: { delivered: false, status: null, problem: 'TIMEOUT' } })
  expect((await readWebhooks('sandbox')).webhooks).toMatchObject([{ id: webhookId, state: 'suspended' }])
  expect(await lastAudit()).toMatchObject({ act: 'webhook.test', outcome: 'done', code: 'TIMEOUT' })
})

test('a webhook that the service does not know, and a service that does not respond, are reported and audited', async () => {
  await desk.service.service.db
    .update(serviceWebhooks)
    .set({ status: 'removed' })
    .where(eq(serviceWebhooks.id, webhookId))
  expect(await testWebhook({ environment: 'sandbox', webhookId })).toMatchObject({
    kind: 'refused',
    outcome: { code: 'SERVICE_REFUSED', happened: expect.stringMatching(/does not know this webhook/) },
  })
  expect(await lastAudit()).toMatchObject({ act: 'webhook.test', outcome: 'refused', code: 'SERVICE_REFUSED' })

  desk.intercept.before = (_request, response) => {
    response.destroy()
    return true
  }
  expect(await testWebhook({ environment: 'sandbox', webhookId })).toMatchObject({
    kind: 'refused',
    outcome: { code: 'SERVICE_UNREACHABLE' },
  })
  expect(await lastAudit()).toMatchObject({ act: 'webhook.test', outcome: 'unknown', code: 'SERVICE_UNREACHABLE' })
})

test('a service without a control plane gets no request, and the panel offers no test', async () => {
  delete process.env.BUILT_IN_SERVICE
  controlCalls = []
  expect((await readWebhooks('sandbox')).isTestOffered).toBe(false)
  const result = await testWebhook({ environment: 'sandbox', webhookId })
  expect(result).toMatchObject({ kind: 'refused', outcome: { code: 'SERVICE_REFUSED', changed: 'no' } })
  expect(controlCalls).toEqual([])
  expect(await lastAudit()).toMatchObject({ act: 'webhook.test', outcome: 'refused' })
})

test('a person who may not manage webhooks sends nothing, and the attempt is audited; a malformed id is refused', async () => {
  expect(await testWebhook({ environment: 'sandbox', webhookId: 'one' })).toEqual({
    kind: 'invalid',
    fields: { webhookId: 'must be a UUID' },
  })
  await desk.signIn('support')
  controlCalls = []
  const result = await testWebhook({ environment: 'sandbox', webhookId })
  expect(result).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_PERMITTED' } })
  expect(controlCalls).toEqual([])
  const audited = { act: 'webhook.test', outcome: 'refused', code: 'NOT_PERMITTED', of: webhookId, who: 'support' }
  expect(await lastAudit()).toEqual(audited)
})

test('the delivery log has tests and replays; a replay is audited with its event', async () => {
  responding({ taken: false, status: 503, problem: 'HTTP_STATUS' })
  await testWebhook({ environment: 'sandbox', webhookId })
  responding(attempted(true))
  const eventId = randomUUID()
  const stored = { id: eventId, event: 'card.updated', data: {}, time: new Date() }
  await desk.service.service.db.insert(serviceEvents).values(stored)
  const replay = { environment: 'sandbox' as const, webhookId, eventId }
  expect(await replayDelivery(replay)).toMatchObject({ kind: 'sent', ping: { delivered: true } })
  expect(await lastAudit()).toMatchObject({ act: 'webhook.replay', outcome: 'done', of: webhookId })
  const log = await listDeliveries('sandbox', webhookId)
  expect(log).toMatchObject({
    isOffered: true,
    attempts: [
      { kind: 'replay', event: 'card.updated', eventId, status: 200, problem: null },
      { kind: 'test', event: 'ping', status: 503, problem: 'HTTP_STATUS' },
    ],
    next: { kind: 'ping', attempt: 1 },
  })
  // A replay is no sign that the endpoint is well.
  expect((await readWebhooks('sandbox')).webhooks).toMatchObject([{ id: webhookId, state: 'suspended' }])
  expect(await replayDelivery({ ...replay, eventId: randomUUID() })).toMatchObject({
    kind: 'refused',
    outcome: { happened: 'The card service has not stored this event any more.' },
  })
  await desk.signIn('viewer')
  expect(await replayDelivery(replay)).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_PERMITTED' } })
  expect(await skipDelivery(replay)).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_PERMITTED' } })
})

test('an attempt shows what was sent and what came back, to its own webhook only', async () => {
  responding({ taken: false, status: 422, problem: 'HTTP_STATUS', response: 'no card.updated, please' })
  const eventId = randomUUID()
  const stored = { id: eventId, event: 'card.updated', data: { number: '4111111111111111' }, time: new Date() }
  await desk.service.service.db.insert(serviceEvents).values(stored)
  await replayDelivery({ environment: 'sandbox', webhookId, eventId })
  const { attempts } = await listDeliveries('sandbox', webhookId, { event: 'card.updated' })
  const [{ id = '' } = {}] = attempts
  expect(attempts.every(({ event }) => event === 'card.updated')).toBe(true)
  const { request, response } = await readDelivery('sandbox', webhookId, id)
  expect(request?.headers).toHaveProperty('x-access-signature')
  expect(request?.body).toContain(eventId)
  expect(request?.body).not.toContain('4111111111111111')
  expect(response).toEqual({ status: 422, body: 'no card.updated, please' })
  await expect(readDelivery('sandbox', webhookId, '999999999')).rejects.toMatchObject({ code: 'DELIVERY_NOT_FOUND' })
  await expect(readDelivery('sandbox', webhookId, 'x')).rejects.toMatchObject({ code: 'DELIVERY_NOT_FOUND' })
})

test('the events since a time are counted, sent again in order, and audited', async () => {
  const since = new Date(Date.now() - 60_000).toISOString()
  const stored = ['card.updated', 'card.updated', 'payout.updated'].map((event) => ({
    id: randomUUID(),
    event,
    data: {},
    time: new Date(),
  }))
  await desk.service.service.db.insert(serviceEvents).values(stored)
  const of = { environment: 'sandbox' as const, webhookId }
  expect(await previewReplay('sandbox', webhookId, { since, event: 'card.updated' })).toEqual({
    count: 2,
    hasMore: false,
  })
  responding(attempted(true))
  const ids = stored.map(({ id }) => id)
  const result = { delivered: 2, failed: null, hasMore: false, last: ids[1] }
  expect(await replaySince({ ...of, since, event: 'card.updated' })).toEqual({ kind: 'done', result })
  expect(await replaySince({ ...of, since, after: ids[1] })).toMatchObject({ result: { delivered: 1, last: ids[2] } })
  expect(await lastAudit()).toMatchObject({ act: 'webhook.replay-since', outcome: 'done', of: webhookId })
  responding(attempted(false))
  expect(await replaySince({ ...of, since })).toMatchObject({
    result: { delivered: 0, last: null, failed: { event: 'card.updated', problem: 'HTTP_STATUS' } },
  })
  expect(await replaySince({ ...of, since: 'yesterday' })).toEqual({
    kind: 'invalid',
    fields: { since: 'must be a time' },
  })
})

test('a queue is read, its next attempt is made now, and an event is skipped, each audited', async () => {
  const { service } = desk.service
  const eventIds = [randomUUID(), randomUUID()]
  await service.db
    .insert(webhookMessages)
    .values(
      eventIds.map((eventId) => ({ webhookId, eventId, body: JSON.stringify({ id: eventId, event: 'card.updated' }) })),
    )
  expect(await readDeliveryQueue('sandbox', webhookId)).toEqual({
    total: 2,
    waiting: eventIds.map((eventId) => ({ eventId, event: 'card.updated' })),
  })
  const [eventId = ''] = eventIds
  expect(await skipDelivery({ environment: 'sandbox', webhookId, eventId })).toEqual({ kind: 'changed' })
  expect(await lastAudit()).toMatchObject({ act: 'webhook.skip', outcome: 'done', of: webhookId })
  expect(await readDeliveryQueue('sandbox', webhookId)).toMatchObject({ total: 1, waiting: [{ eventId: eventIds[1] }] })
  expect(await skipDelivery({ environment: 'sandbox', webhookId, eventId })).toMatchObject({
    kind: 'refused',
    outcome: { happened: 'This event does not wait any more.' },
  })
  await service.db
    .update(serviceWebhooks)
    .set({ status: 'unhealthy', attempts: 1, dueAt: new Date(Date.now() + 100_000) })
    .where(eq(serviceWebhooks.id, webhookId))
  const before = (await listDeliveries('sandbox', webhookId)).next?.at ?? ''
  expect(await retryDelivery({ environment: 'sandbox', webhookId })).toEqual({ kind: 'changed' })
  const after = (await listDeliveries('sandbox', webhookId)).next?.at ?? ''
  expect(Date.parse(before) - Date.parse(after)).toBeGreaterThan(60_000)
  expect(await lastAudit()).toMatchObject({ act: 'webhook.retry', outcome: 'done', of: webhookId })
})

test('a service without a control plane offers no delivery log, and an unknown webhook has none', async () => {
  await expect(listDeliveries('sandbox', randomUUID())).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' })
  delete process.env.BUILT_IN_SERVICE
  controlCalls = []
  expect(await listDeliveries('sandbox', webhookId)).toMatchObject({ isOffered: false, attempts: [] })
  expect(controlCalls).toEqual([])
})
