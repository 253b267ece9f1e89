import { randomUUID } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { events as serviceEvents, webhooks as serviceWebhooks } from '#lib/service/tables/webhooks.ts'
import { attempted } from '#lib/service/webhooks/testing-attempts.ts'
import type { Attempted } from '#lib/service/webhooks/transport.ts'
import { auditEntries } from '../desk/tables/audit.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { listDeliveries } from './deliveries.ts'
import { pollWebhooks } from './poll.ts'
import { readWebhooks } from './read.ts'
import { replayDelivery, testWebhook } from './test-webhook.ts'

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
    outcome: { happened: 'The service has not stored this event any more.' },
  })
  await desk.signIn('viewer')
  expect(await replayDelivery(replay)).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_PERMITTED' } })
})

test('a service without a control plane offers no delivery log, and an unknown webhook has none', async () => {
  await expect(listDeliveries('sandbox', randomUUID())).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' })
  delete process.env.BUILT_IN_SERVICE
  controlCalls = []
  expect(await listDeliveries('sandbox', webhookId)).toMatchObject({ isOffered: false, attempts: [] })
  expect(controlCalls).toEqual([])
})
