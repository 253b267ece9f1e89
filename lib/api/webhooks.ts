import { defineReads, forever, list, record, recordOf } from './read.ts'

export const webhookReads = defineReads({
  // While the panel is open the console reads the webhooks every few seconds.
  readWebhooks: {
    path: 'webhooks',
    needs: 'webhooks.read',
    poll: { every: 5_000, staleAfter: 2_000 },
    staleOn: { webhooks: true },
  },
  readWebhookAlerts: { path: 'webhooks/alerts', needs: 'webhooks.read', poll: record, staleOn: { webhooks: true } },
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
    sensitive: recordOf('webhook'),
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
