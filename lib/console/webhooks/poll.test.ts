import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { webhooks as serviceWebhooks } from '#lib/service/tables/webhooks.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { watchedWebhooks, webhookNotices, webhookSamples, webhookTransitions } from '#lib/tables/webhooks.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { stubResponses } from '../testing/stub-responses.ts'
import { sendWebhookNotices, writeWebhookNotices } from './notices.ts'
import { pollWebhooks } from './poll.ts'
import { readWebhookAlerts, readWebhooks } from './read.ts'

/** The console beside the built-in service, whose control plane responds over HTTP too. */
async function openDesk(): Promise<TestConsole> {
  const desk = await openConsole()
  process.env.BUILT_IN_SERVICE = 'on'
  onTestFinished(() => void delete process.env.BUILT_IN_SERVICE)
  desk.intercept.before = async (request, response) => {
    if (request.url !== '/service/control/clock') return false
    response.end(JSON.stringify((await desk.service.control('GET', '/clock')).json))
    return true
  }
  await desk.signIn('operations')
  return desk
}

async function addWebhook(
  desk: TestConsole,
  status: 'healthy' | 'error' = 'healthy',
  name = 'ledger <sync>',
): Promise<string> {
  const id = randomUUID()
  await desk.service.service.db.insert(serviceWebhooks).values({
    id,
    name,
    url: 'https://ledger.example.com/in',
    status,
    events: ['card.updated'],
    createdAt: new Date(),
  })
  return id
}

async function turn(
  desk: TestConsole,
  id: string,
  status: 'healthy' | 'unhealthy' | 'error' | 'removed',
  failedAt?: Date,
) {
  await desk.service.service.db
    .update(serviceWebhooks)
    .set({ status, ...(failedAt ? { lastFailedDeliveryTime: failedAt } : {}) })
    .where(eq(serviceWebhooks.id, id))
}

test('fields that the interface does not name are shown with the webhook, and masked by role', async () => {
  const desk = await openDesk()
  const id = await addWebhook(desk)
  stubResponses(desk, {
    '/webhooks': () => ({ webhooks: [{ id, name: 'CRM', contact: 'ops@crm.example', signingSecret: 'whsec_1' }] }),
    '/webhooks/stats': () => [{ id, status: 'healthy', queuedMessages: 0, region: 'hk-2' }],
  })
  await pollWebhooks('sandbox', 0)
  const otherFields = { contact: 'ops@crm.example', signingSecret: '•••', 'statistics.region': 'hk-2' }
  expect((await readWebhooks('sandbox')).webhooks).toMatchObject([{ id, otherFields }])
  expect(JSON.stringify(await desk.db.select().from(watchedWebhooks))).not.toContain('whsec_1')
})

async function panelOf(id: string) {
  await pollWebhooks('sandbox', 0)
  const { webhooks } = await readWebhooks('sandbox')
  return webhooks.find((webhook) => webhook.id === id)
}

test('each change of state is stored once, with the looks before and after it, and alerts follow', async () => {
  const desk = await openDesk()
  const id = await addWebhook(desk)
  await pollWebhooks('sandbox', 0)
  await pollWebhooks('sandbox', 0)
  expect((await readWebhookAlerts('sandbox')).alerts).toEqual([])
  const failedAt = new Date()
  const ofScenario = await addWebhook(desk, 'error', 'Scenario 0011aabb')
  await turn(desk, id, 'error', failedAt)
  expect(await panelOf(id)).toMatchObject({
    state: 'suspended',
    level: 'suspended',
    since: { basis: 'service', atMs: failedAt.getTime() },
  })
  const rows = await desk.db.select().from(webhookTransitions).where(eq(webhookTransitions.webhookId, id))
  expect(rows.map(({ statusBefore, statusAfter }) => [statusBefore, statusAfter])).toEqual([
    [null, 'healthy'],
    ['healthy', 'suspended'],
  ])
  expect((await readWebhookAlerts('sandbox')).alerts).toMatchObject([{ id, level: 'suspended' }])
  const { webhooks } = await readWebhooks('sandbox')
  expect(webhooks.find((webhook) => webhook.id === ofScenario)).toMatchObject({ state: 'suspended', level: null })
  expect((await desk.db.select().from(webhookSamples).where(eq(webhookSamples.webhookId, id))).length).toBe(3)
})

test('the queue is reported from its polls; an earlier depth is reported only if it was polled then', async () => {
  const desk = await openDesk()
  const id = await addWebhook(desk)
  await pollWebhooks('sandbox', 0)
  await turn(desk, id, 'unhealthy', new Date())
  const before = await panelOf(id)
  expect(before?.queue.map(({ status }) => status)).toEqual(['healthy', 'unhealthy'])
  await desk.service.control('POST', '/clock', { advance: 'PT50M' })
  expect((await panelOf(id))?.queuedHourAgo).toBeNull()
  await desk.service.control('POST', '/clock', { advance: 'PT14M' })
  const soon = await panelOf(id)
  expect(soon?.queuedHourAgo).toBe(0)
  expect(soon?.queue.slice(0, 2)).toEqual(before?.queue)
  expect(soon?.queue.every(({ fromMs, toMs }) => fromMs <= toMs)).toBe(true)
  await desk.service.control('POST', '/clock', { advance: 'PT8H' })
  expect((await panelOf(id))?.queuedHourAgo).toBeNull()
})

test('a state that lasted for one poll is over with the next', async () => {
  const desk = await openDesk()
  const id = await addWebhook(desk)
  const atMs = Date.UTC(2030, 0, 1, 12)
  const states = ['healthy', 'healthy', 'unhealthy', 'healthy', 'healthy']
  await pollWebhooks('sandbox', 0)
  await desk.db.delete(webhookSamples)
  await desk.db.insert(webhookSamples).values(
    states.map((statsStatus, poll) => ({
      environment: 'sandbox' as const,
      webhookId: id,
      takenAt: new Date(),
      serviceAt: new Date(atMs + poll * 15_000),
      statsStatus,
      queuedMessages: 0,
    })),
  )
  const { webhooks } = await readWebhooks('sandbox')
  const queue = webhooks.find((webhook) => webhook.id === id)?.queue
  expect(queue?.map(({ status, fromMs, toMs }) => [status, fromMs - atMs, toMs - atMs])).toEqual([
    ['healthy', 0, 15_000],
    ['unhealthy', 30_000, 30_000],
    ['healthy', 45_000, 60_000],
  ])
})

test('times follow the sandbox clock; a sandbox that began again is watched again', async () => {
  const desk = await openDesk()
  const id = await addWebhook(desk, 'error')
  await pollWebhooks('sandbox', 0)
  await desk.service.control('POST', '/clock', { advance: 'PT20H' })
  await turn(desk, id, 'error')
  await pollWebhooks('sandbox', 0)
  const { serviceNowMs, clockSource } = await readWebhooks('sandbox')
  expect(clockSource).toBe('clock')
  expect(Math.abs(serviceNowMs - Date.now() - 20 * 3_600_000)).toBeLessThan(60_000)
  await desk.service.control('POST', '/reset')
  await pollWebhooks('sandbox', 0)
  const panel = await readWebhooks('sandbox')
  expect(panel.webhooks.map((webhook) => webhook.id)).not.toContain(id)
  expect(await desk.db.select().from(webhookTransitions).where(eq(webhookTransitions.webhookId, id))).toEqual([])
})

test('each notice is sent once an episode, to an address that Slack would have, with markup escaped', async () => {
  const desk = await openDesk()
  const texts: string[] = []
  let status = 500
  const slack = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    if (status === 200) texts.push((JSON.parse(text) as { text: string }).text)
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(slack, 'listening')
  process.env.NOTIFY_URL = `http://127.0.0.1:${(slack.address() as AddressInfo).port}/`
  onTestFinished(async () => {
    delete process.env.NOTIFY_URL
    slack.closeAllConnections()
    await new Promise((resolve) => slack.close(resolve))
  })
  const round = async () => {
    await pollWebhooks('sandbox', 0)
    await Promise.all([writeWebhookNotices('sandbox'), writeWebhookNotices('sandbox')])
    await Promise.all([sendWebhookNotices(), sendWebhookNotices()])
  }
  const id = await addWebhook(desk)
  await round()
  await turn(desk, id, 'unhealthy', new Date())
  await round()
  expect(texts).toEqual([])
  status = 200
  await desk.db.update(webhookNotices).set({ nextAttemptAt: new Date(0) })
  for (let times = 0; times < 3; times += 1) await round()
  expect(texts).toHaveLength(1)
  expect(texts[0]).toContain('[sandbox] Webhook ledger &lt;sync&gt; is unhealthy')
  await turn(desk, id, 'error', new Date())
  await round()
  await turn(desk, id, 'healthy')
  await round()
  await round()
  expect(texts.map((text) => /(unhealthy|suspended|healthy again)/.exec(text)?.[1])).toEqual([
    'unhealthy',
    'suspended',
    'healthy again',
  ])
})

test('a service that cannot list its webhooks is watched by the ids of the settings', async () => {
  const desk = await openDesk()
  const id = await addWebhook(desk)
  const unknown = randomUUID()
  consoleSettings().webhookIds = { sandbox: [id, unknown], production: [] }
  const before = desk.intercept.before
  desk.intercept.before = (request, response, body) => {
    if (request.url !== '/service/v1/webhooks') return before?.(request, response, body) ?? false
    response.writeHead(404).end('{"code":"NOT_FOUND","message":"no"}')
    return true
  }
  await pollWebhooks('sandbox', 0)
  const panel = await readWebhooks('sandbox')
  expect(panel).toMatchObject({ listedBy: 'settings', webhooks: [{ id, name: null, state: 'healthy' }] })

  // An id that comes into the settings later may have been unhealthy for days.
  const later = await addWebhook(desk)
  await turn(desk, later, 'unhealthy', new Date())
  consoleSettings().webhookIds = { sandbox: [id, later], production: [] }
  expect(await panelOf(later)).toMatchObject({ state: 'unhealthy', since: null })
})

test('removal needs the number of events that are lost, is one operation, and is audited; creation likewise', async () => {
  const desk = await openDesk()
  const id = await addWebhook(desk)
  await pollWebhooks('sandbox', 0)
  const input = { environment: 'sandbox' as const, operationId: randomUUID(), webhookId: id, confirmQueued: 0 }
  await expect(runAction('webhook.remove', { ...input, confirmQueued: 'many' as never })).resolves.toMatchObject({
    kind: 'invalid',
  })
  const results = await Promise.all(Array.from({ length: 10 }, () => runAction('webhook.remove', input)))
  for (const result of results)
    expect(result).toMatchObject({ kind: 'settled', operation: { outcome: { state: 'done' } } })
  expect(desk.requests.get('/webhooks/remove')).toBe(1)
  expect(await panelOf(id)).toMatchObject({ state: 'deleted', isRemovedHere: true, level: null })

  const again = await runAction('webhook.recreate', {
    environment: 'sandbox',
    operationId: randomUUID(),
    webhookId: id,
  })
  // The sandbox of this test resolves no outside names and reports that; only the requests made are checked.
  expect(again.kind).toBe('settled')
  const bad = await runAction('webhook.create', {
    environment: 'sandbox',
    operationId: randomUUID(),
    url: 'nowhere',
    events: [],
  })
  expect(bad).toMatchObject({ kind: 'invalid', fields: { url: expect.any(String), events: expect.any(String) } })
  await desk.signIn('support')
  expect(await runAction('webhook.remove', { ...input, operationId: randomUUID() })).toMatchObject({
    kind: 'refused',
    outcome: { code: 'NOT_PERMITTED' },
  })
  const acts = (await desk.db.select().from(auditEntries)).map(({ act, outcome }) => `${act} ${outcome}`)
  expect(acts).toContain('webhook.remove done')
  expect(acts).toContain('webhook.remove refused')
})

test('a webhook that somebody has created again is not created once more; one of other events takes nothing from it', async () => {
  const desk = await openDesk()
  const id = await addWebhook(desk)
  await pollWebhooks('sandbox', 0)
  await turn(desk, id, 'removed')
  const other = await addWebhook(desk)
  const recreate = () =>
    runAction('webhook.recreate', { environment: 'sandbox', operationId: randomUUID(), webhookId: id })
  const rowsBefore = await desk.service.service.db.$count(serviceWebhooks)
  await pollWebhooks('sandbox', 0)
  expect(await panelOf(id)).toMatchObject({ state: 'deleted', isReplaced: true })
  expect(await recreate()).toMatchObject({ kind: 'invalid', fields: { webhookId: expect.stringContaining('again') } })
  expect(await desk.service.service.db.$count(serviceWebhooks)).toBe(rowsBefore)
  await desk.service.service.db
    .update(serviceWebhooks)
    .set({ events: ['payout.updated'] })
    .where(eq(serviceWebhooks.id, other))
  await pollWebhooks('sandbox', 0)
  expect(await panelOf(id)).toMatchObject({ isReplaced: false })
  expect((await recreate()).kind).toBe('settled')
})

type Endpoint = { status?: number; body: unknown }

/** A console beside a service without a control plane, whose two webhook endpoints respond as the test says. */
async function openWithWebhooks() {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  const responses: { list: Endpoint; stats: Endpoint } = { list: { body: { webhooks: [] } }, stats: { body: [] } }
  desk.intercept.before = (request, response) => {
    const path = new URL(request.url ?? '', 'http://service.test').pathname
    const found = path.endsWith('/webhooks')
      ? responses.list
      : path.endsWith('/webhooks/stats')
        ? responses.stats
        : null
    if (!found) return false
    const { status = 200, body } = found
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' })
    response.end(isText ? body : JSON.stringify(body))
    return true
  }
  const read = async () => {
    await pollWebhooks('sandbox', 0)
    return (await readWebhooks('sandbox')).webhooks
  }
  return { desk, responses, read }
}

const listedWebhooks = ['WH_one', 'wh-two', 'wh-three'].map((id) => ({ id, url: `https://${id}.example.com/` }))
const healthy = { status: 'healthy', queuedMessages: 4, lastSuccessfulDeliveryTime: 1_795_000_000 }

test('one record that cannot be read affects no other webhook; ids match in any case', async () => {
  const { desk, responses, read } = await openWithWebhooks()
  responses.list = { body: { webhooks: [...listedWebhooks, { url: 'nobody' }, null] } }
  responses.stats = {
    body: [{ ...healthy, id: 'wh_ONE' }, { id: 'wh-two', status: null, queuedMessages: 9 }, { status: 'healthy' }, 7],
  }
  const webhooks = await read()
  expect(
    webhooks.map(({ id, state, level, queuedMessages }) => [id.toLowerCase(), state, level, queuedMessages]),
  ).toEqual(
    expect.arrayContaining([
      ['wh_one', 'healthy', null, 4],
      ['wh-two', 'statistics unreadable', 'unreadable', null],
      ['wh-three', 'statistics unreadable', 'unreadable', null],
    ]),
  )
  expect(webhooks.find(({ state }) => state === 'healthy')).toMatchObject({
    url: 'https://WH_one.example.com/',
    lastSuccessAtMs: 1_795_000_000_000,
    lastFailureAtMs: null,
  })
  expect(webhooks.find(({ id }) => id === 'wh-two')?.unreadable?.reason).toContain('no status')
  expect(webhooks.find(({ id }) => id === 'wh-three')?.unreadable?.reason).toContain('no statistics')
  expect((await readWebhookAlerts('sandbox')).alerts.map(({ level }) => level)).toEqual(['unreadable', 'unreadable'])
  expect(await desk.db.select().from(webhookSamples)).toMatchObject([{ queuedMessages: 4 }])
})

test('texts of a webhook that cannot be stored stop the watch of no webhook', async () => {
  const { responses, read } = await openWithWebhooks()
  const [one, two] = listedWebhooks
  responses.list = { body: { webhooks: [{ ...one, name: 'CRM\0', note: { text: 'Acme \ud83d' } }, two] } }
  responses.stats = {
    body: [
      { ...healthy, id: one?.id },
      { ...healthy, id: two?.id },
    ],
  }
  const webhooks = await read()
  expect(webhooks.filter(({ state }) => state === 'healthy')).toHaveLength(2)
  expect(webhooks.find(({ id }) => id === one?.id)).toMatchObject({
    name: 'CRM\ufffd',
    otherFields: { note: { text: 'Acme \ufffd' } },
  })
})

test.each<[string, Endpoint, string]>([
  ['404', { status: 404, body: { code: 'NOT_FOUND', message: 'no such endpoint' } }, 'isn’t available'],
  ['401', { status: 401, body: { code: 'INVALID_SIGNATURE', message: 'no' } }, ''],
  ['HTML', { body: '<!doctype html><title>Sign in</title>' }, ''],
  ['another key', { body: { items: [] } }, '"items"'],
])(
  'statistics that fail as a whole (%s) leave every webhook unreadable, with the last reading and its age',
  async (_, wrong, reason) => {
    const { desk, responses, read } = await openWithWebhooks()
    responses.list = { body: { webhooks: listedWebhooks.slice(0, 2) } }
    responses.stats = { body: listedWebhooks.slice(0, 2).map(({ id }) => ({ ...healthy, id })) }
    const before = await read()
    responses.stats = wrong
    await read()
    const after = await read()
    expect(after).toHaveLength(2)
    for (const [index, webhook] of after.entries()) {
      expect(webhook).toMatchObject({
        state: 'statistics unreadable',
        level: 'unreadable',
        queuedMessages: 4,
        lastReading: before[index]?.lastReading,
        unreadable: { reason: expect.stringContaining(reason) },
      })
      expect(webhook.unreadable?.reason).not.toBe('')
      expect(Math.abs((webhook.unreadable?.sinceMs ?? 0) - Date.now())).toBeLessThan(60_000)
    }
    // Only the first, good look is a sample and a transition.
    expect(await desk.db.select().from(webhookSamples)).toHaveLength(2)
    expect(await desk.db.select().from(webhookTransitions)).toHaveLength(2)
    responses.stats = { body: listedWebhooks.slice(0, 2).map(({ id }) => ({ ...healthy, id })) }
    expect(await read()).toMatchObject([
      { state: 'healthy', level: null, unreadable: null },
      { state: 'healthy', level: null, unreadable: null },
    ])
  },
)

test('a failed list of webhooks deletes none of them, and shows the reason', async () => {
  const { responses, read } = await openWithWebhooks()
  responses.list = { body: { webhooks: listedWebhooks.slice(0, 1) } }
  responses.stats = { body: [{ ...healthy, id: 'WH_one' }] }
  await read()
  responses.list = { status: 401, body: { code: 'INVALID_SIGNATURE', message: 'no' } }
  expect(await read()).toMatchObject([{ id: 'WH_one', state: 'statistics unreadable', queuedMessages: 4 }])
  responses.list = { body: { webhooks: [] } }
  responses.stats = { body: [] }
  expect(await read()).toMatchObject([{ id: 'WH_one', state: 'deleted', queuedMessages: 4 }])
})

test('an unknown status and missing figures are shown as sent; a suspension continues while polls fail', async () => {
  const { desk, responses, read } = await openWithWebhooks()
  responses.list = { body: { webhooks: listedWebhooks } }
  responses.stats = {
    body: [
      { id: 'WH_one', status: 'Paused' },
      { id: 'wh-two', status: 'suspended', queuedMessages: '12', lastFailedDeliveryTime: '1795000000000' },
      { id: 'wh-three', status: 'healthy', queuedMessages: 'many', lastFailedDeliveryTime: 'yesterday' },
    ],
  }
  const byId = async () => new Map((await read()).map((webhook) => [webhook.id, webhook]))
  const first = await byId()
  expect(first.get('WH_one')).toMatchObject({ state: 'Paused', level: null, queuedMessages: null, queue: [] })
  expect(first.get('wh-two')).toMatchObject({ state: 'suspended', queuedMessages: 12 })
  expect(first.get('wh-three')).toMatchObject({ state: 'healthy', queuedMessages: null, lastFailureAtMs: null })
  responses.stats = { status: 404, body: {} }
  const second = await byId()
  expect(second.get('wh-two')).toMatchObject({
    state: 'statistics unreadable',
    level: first.get('wh-two')?.level,
    lastReading: { state: 'suspended' },
  })
  expect(second.get('wh-two')?.suspension).not.toBeNull()
  expect(await desk.db.select().from(webhookSamples)).toHaveLength(1)
})

test('a delivery time in the far future does not move the clock of the service', async () => {
  const { responses, read } = await openWithWebhooks()
  responses.list = { body: { webhooks: listedWebhooks.slice(0, 1) } }
  responses.stats = { body: [{ ...healthy, id: 'WH_one', lastSuccessfulDeliveryTime: '9999-01-01T00:00:00Z' }] }
  await read()
  const { serviceNowMs } = await readWebhooks('sandbox')
  expect(Math.abs(serviceNowMs - Date.now())).toBeLessThan(60_000)
})

test('a notice of unreadable statistics is written once, after five minutes, without the token of an address', async () => {
  const { desk, responses, read } = await openWithWebhooks()
  process.env.NOTIFY_URL = 'http://127.0.0.1:9/'
  onTestFinished(() => void delete process.env.NOTIFY_URL)
  responses.list = { body: { webhooks: listedWebhooks.slice(0, 1) } }
  await read()
  await writeWebhookNotices('sandbox')
  const notices = () => desk.db.select().from(webhookNotices)
  expect(await notices()).toEqual([])
  const sixMinutesAgo = new Date(Date.now() - 6 * 60_000)
  const unnamed = { name: null, url: 'https://ledger.example.com/in?token=hidden' }
  await desk.db.update(watchedWebhooks).set({ unreadableSince: sixMinutesAgo, ...unnamed })
  await writeWebhookNotices('sandbox')
  await writeWebhookNotices('sandbox')
  const text = expect.stringMatching(
    /^\[sandbox\] Webhook ledger\.example\.com \(WH_one\) has statistics that cannot be read/,
  )
  expect(await notices()).toMatchObject([{ level: 'unreadable', text }])
})
