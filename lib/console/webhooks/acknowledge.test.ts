import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { webhooks as serviceWebhooks } from '#lib/service/tables/webhooks.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { inboxUrl, isOwnInbox } from '../connection/inbox-url.ts'
import { shareConsole } from '../testing/open-console.ts'
import { acknowledgeWebhook } from './acknowledge.ts'
import { pollWebhooks } from './poll.ts'
import { readWebhookAlerts, readWebhooks } from './read.ts'

const desk = shareConsole({ seeded: 1 })

async function addWebhook(url: string): Promise<string> {
  const id = randomUUID()
  const webhook = { id, name: 'ledger', url, status: 'healthy' as const, events: ['*'], createdAt: new Date() }
  await desk.service.service.db.insert(serviceWebhooks).values(webhook)
  return id
}

test('the inbox of this console cannot be removed', async () => {
  await desk.signIn('operations')
  const webhookId = await addWebhook(inboxUrl(consoleSettings().consoleUrl, 'sandbox'))
  await pollWebhooks('sandbox', 0)
  const { webhooks } = await readWebhooks('sandbox')
  expect(webhooks.find(({ id }) => id === webhookId)).toMatchObject({ isOwnInbox: true })
  const input = { environment: 'sandbox' as const, operationId: randomUUID(), webhookId, confirmQueued: 0 }
  expect(await runAction('webhook.remove', input)).toMatchObject({
    kind: 'invalid',
    fields: { webhookId: 'is Carddesk’s own inbox, which can’t be removed' },
  })
})

test('the alert of a deleted webhook goes when Operations dismisses it, once, with an audit entry', async () => {
  const staff = await desk.signIn('operations')
  const webhookId = await addWebhook('https://ledger.example.com/in')
  await pollWebhooks('sandbox', 0)
  const input = { environment: 'sandbox' as const, webhookId }
  expect(await acknowledgeWebhook(input)).toMatchObject({ kind: 'invalid', fields: { webhookId: expect.any(String) } })
  for (const status of ['error', 'removed'] as const) {
    const { db } = desk.service.service
    await db.update(serviceWebhooks).set({ status }).where(eq(serviceWebhooks.id, webhookId))
    await pollWebhooks('sandbox', 0)
  }
  expect((await readWebhookAlerts('sandbox')).alerts).toMatchObject([{ id: webhookId, level: 'deleted' }])
  const results = await Promise.all([acknowledgeWebhook(input), acknowledgeWebhook(input)])
  expect(results).toEqual([{ kind: 'acknowledged' }, { kind: 'acknowledged' }])
  await pollWebhooks('sandbox', 0)
  expect((await readWebhookAlerts('sandbox')).alerts).toEqual([])
  const entries = await desk.db.select().from(auditEntries).where(eq(auditEntries.act, 'webhook.acknowledge'))
  expect(entries).toMatchObject([{ outcome: 'done', targetId: webhookId, staffId: staff?.id }])
})

test.each([
  [inboxUrl('http://localhost:3000', 'sandbox'), true],
  [inboxUrl('http://127.0.0.1:3000', 'sandbox'), true],
  [inboxUrl('http://127.0.0.1:3000', 'production'), false],
  [inboxUrl('http://127.0.0.1:3001', 'sandbox'), false],
  [inboxUrl('https://desk.example', 'sandbox'), false],
  ['no URL', false],
  [null, false],
])('%s is the inbox of this console: %s', (url, isOwn) => {
  expect(isOwnInbox(url, 'sandbox')).toBe(isOwn)
})
