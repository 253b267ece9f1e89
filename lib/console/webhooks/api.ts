import 'server-only'
import { webhookReads } from '#lib/api/webhooks.ts'
import { implement } from '#lib/gate/implement.ts'
import { acknowledgeWebhook } from './acknowledge.ts'
import { replayDelivery, replaySince, retryDelivery, skipDelivery, testWebhook } from './control.ts'
import { listDeliveries, previewReplay, readDelivery, readDeliveryQueue } from './deliveries.ts'
import { readWebhooks, readWebhookAlerts } from './read.ts'

export const webhookApi = implement(webhookReads, {
  readWebhooks,
  readWebhookAlerts,
  listDeliveries,
  readDelivery,
  readDeliveryQueue,
  previewReplay,
})

export const webhookHandlers = {
  testWebhook,
  replayDelivery,
  replaySince,
  retryDelivery,
  skipDelivery,
  acknowledgeWebhook,
}
