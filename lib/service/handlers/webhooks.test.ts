import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callEndpoint } from '../payouts/testing.ts'
import { webhookMessages, webhooks } from '../tables/webhooks.ts'
import { openTestService, testService, type TestService } from '../testing.ts'

const url = 'https://example.com/hook'

/** Of requests that are refused, and leave nothing. */
let shared: TestService
beforeAll(async () => {
  shared = await openTestService()
})
afterAll(() => shared.close())

test('registers a webhook, lists it, removes it, and shows it in the statistics as deleted', async () => {
  const service = await testService()
  const made = await callEndpoint(service, 'createWebhook', {
    body: { url, events: ['*', 'card.updated', '*'], name: 'desk' },
  })
  expect(made).toMatchObject({ name: 'desk', url, status: 'created', events: ['*', 'card.updated'] })
  expect(await callEndpoint(service, 'listWebhooks')).toEqual({ webhooks: [made] })

  expect(await callEndpoint(service, 'removeWebhook', { body: { webhookId: made.id } })).toEqual({
    ...made,
    status: 'removed',
  })
  expect(await callEndpoint(service, 'listWebhooks')).toEqual({ webhooks: [] })
  expect(await callEndpoint(service, 'listWebhookStats', { query: { webhookId: made.id } })).toMatchObject([
    { status: 'deleted' },
  ])
  const again = await service.call('removeWebhook', { body: { webhookId: made.id } })
  expect([again.status, again.json.code]).toEqual([404, 'WEBHOOK_NOT_FOUND'])
})

test('a webhook without a name is named by its host, and an unknown event is accepted', async () => {
  const service = await testService()
  const made = await callEndpoint(service, 'createWebhook', { body: { url, events: ['card.teleported'] } })
  expect(made).toMatchObject({ name: 'example.com', events: ['card.teleported'] })
})

test.each([
  ['created', 'healthy'],
  ['healthy', 'healthy'],
  ['unhealthy', 'unhealthy'],
  ['error', 'suspended'],
  ['removed', 'deleted'],
] as const)('a webhook that is %s is %s in the statistics, with its queue counted', async (status, inStats) => {
  const service = await testService()
  const { db } = service.service
  const [first, second] = await Promise.all(
    ['a', 'b'].map((name) => callEndpoint(service, 'createWebhook', { body: { url, events: ['*'], name } })),
  )
  const id = first?.id ?? ''
  const time = new Date('2026-03-01T00:00:00Z')
  await db.update(webhooks).set({ status, lastFailedDeliveryTime: time }).where(eq(webhooks.id, id))
  await db.insert(webhookMessages).values({ webhookId: id, eventId: randomUUID(), body: '{}' })
  const stats = await callEndpoint(service, 'listWebhookStats')
  expect(stats).toHaveLength(2)
  expect(stats.find((each) => each.id === id)).toEqual({
    id,
    status: inStats,
    queuedMessages: status === 'removed' ? 0 : 2,
    lastSuccessfulDeliveryTime: null,
    lastFailedDeliveryTime: time.toISOString(),
  })
  expect(stats.find((each) => each.id === second?.id)).toMatchObject({ status: 'healthy', queuedMessages: 1 })
})

test('statistics of an unknown webhook are refused with WEBHOOK_NOT_FOUND', async () => {
  const service = await testService()
  const { status, json } = await service.call('listWebhookStats', { query: { webhookId: randomUUID() } })
  expect([status, json.code]).toEqual([404, 'WEBHOOK_NOT_FOUND'])
})

test.each([
  [{ url, events: [] }, 'events'],
  [{ url }, 'events'],
  [{ url, events: 'card.updated' }, 'events'],
  [{ url, events: ['a\nb'] }, 'events'],
  [{ url, events: [''] }, 'events'],
  [{ url, events: ['é'.repeat(129)] }, 'events'],
  [{ events: ['*'] }, 'url'],
  [{ url: 'example', events: ['*'] }, 'url'],
  [{ url: 'https://10.0.0.1/', events: ['*'] }, 'url'],
  [{ url: `https://example.com/${'x'.repeat(2048)}`, events: ['*'] }, 'url'],
  [{ url, events: ['*'], name: ' ' }, 'name'],
])('refuses %j with INVALID_PARAMETERS', async (body, field) => {
  const { status, json } = await shared.call('createWebhook', { body })
  expect([status, json.code]).toEqual([400, 'INVALID_PARAMETERS'])
  expect(json.message).toContain(`${field}`)
})

test('an event name is any text of 1 to 128 characters', async () => {
  const service = await testService()
  const events = ['foo:bar', 'a b', 'ordre/été', 'card.updatedd', '😀'.repeat(128), '*']
  expect(await callEndpoint(service, 'createWebhook', { body: { url, events } })).toMatchObject({ events })
})

test('a refused address and wrong events are reported together', async () => {
  const strict = await testService({ settings: { acceptsLoopbackWebhooks: false } })
  const { json } = await strict.call('createWebhook', { body: { url: 'http://10.0.0.1', events: [] } })
  expect(json).toEqual({
    code: 'INVALID_PARAMETERS',
    message:
      'events: must name at least one event, or * for all events; url: must begin with https:, and lead to a public address',
  })
  expect((await strict.call('createWebhook', { body: { url: 'http:', events: [] } })).json.message).toBe(
    'url: must be an absolute URL; events: must name at least one event, or * for all events',
  )
})

test('accepts loopback and http exactly while the sandbox does', async () => {
  const body = { url: 'http://127.0.0.1:3000/hook', events: ['*'] }
  expect((await (await testService()).call('createWebhook', { body })).status).toBe(200)
  const strict = await testService({ settings: { acceptsLoopbackWebhooks: false } })
  expect((await strict.call('createWebhook', { body })).json).toMatchObject({ code: 'INVALID_PARAMETERS' })
})

test('registers the console’s own inbox where loopback is refused, and nothing beside it', async () => {
  const consoleInboxUrl = 'http://127.0.0.1:3000/api/webhooks/inbox/sandbox'
  const strict = await testService({ settings: { acceptsLoopbackWebhooks: false, consoleInboxUrl } })
  expect((await strict.call('createWebhook', { body: { url: consoleInboxUrl, events: ['*'] } })).status).toBe(200)
  expect((await strict.call('createWebhook', { body: { url: `${consoleInboxUrl}/`, events: ['*'] } })).status).toBe(400)
})
