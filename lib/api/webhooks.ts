import { defineActions } from './action.ts'
import { defineReads, forever, list, record, sensitiveRecord } from './read.ts'

export const webhookReads = defineReads({
  // While the panel is open the console reads the webhooks every few seconds.
  readWebhooks: {
    path: 'webhooks',
    needs: 'webhooks.read',
    poll: { every: 5_000, staleAfter: 2_000 },
    staleOn: { webhooks: true },
  },
  readWebhookAlerts: { path: 'webhooks/alerts', needs: 'webhooks.manage', poll: record, staleOn: { webhooks: true } },
  listDeliveries: {
    path: 'webhooks/[webhookId]/deliveries',
    needs: 'webhooks.read',
    poll: { ...list, every: 5_000, staleAfter: 2_000 },
    staleOn: { webhooks: true },
  },
  readDelivery: {
    path: 'webhooks/[webhookId]/deliveries/[attemptId]',
    needs: 'webhooks.read',
    poll: { staleAfter: forever },
    sensitive: sensitiveRecord('webhook'),
  },
  previewReplay: {
    path: 'webhooks/[webhookId]/replay',
    needs: 'webhooks.manage',
    poll: { staleAfter: 5_000 },
    example: '?since=2026-01-01T00:00:00Z',
  },
  readDeliveryQueue: {
    path: 'webhooks/[webhookId]/queue',
    needs: 'webhooks.read',
    poll: { ...list, every: 5_000, staleAfter: 2_000 },
    staleOn: { webhooks: true },
  },
})

const ofWebhook = { needs: 'webhooks.manage', changes: ['webhooks'] } as const

export const webhookActions = defineActions({
  'webhook.create': {
    ...ofWebhook,
    noun: 'webhook',
    label: 'Add webhook',
    creates: true,
    done: 'Webhook created',
    note: 'Deliveries begin after its first successful ping.',
  },
  'webhook.recreate': {
    ...ofWebhook,
    noun: 'webhook',
    label: 'Create webhook again',
    creates: true,
    done: 'Webhook created again under a new ID',
    note: 'Lost events are not resent.',
  },
  'webhook.remove': {
    ...ofWebhook,
    noun: 'webhook',
    label: 'Remove webhook',
    done: 'Webhook removed',
    note: 'Its queue is deleted.',
  },
  testWebhook: { ...ofWebhook, act: 'webhook.test', label: 'Test webhook' },
  replayDelivery: { ...ofWebhook, act: 'webhook.replay', label: 'Replay delivery' },
  replaySince: { ...ofWebhook, act: 'webhook.replay-since', label: 'Replay deliveries since' },
  retryDelivery: { ...ofWebhook, act: 'webhook.retry', label: 'Retry delivery now' },
  skipDelivery: { ...ofWebhook, act: 'webhook.skip', label: 'Skip event of a queue' },
  acknowledgeWebhook: { ...ofWebhook, act: 'webhook.acknowledge', label: 'Dismiss deleted webhook' },
})
