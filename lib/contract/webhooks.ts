import { z } from 'zod'
import { atMost } from '#lib/shared/at-most.ts'
import { endpoint } from './endpoint.ts'
import { ResponseUuid, openEnum, text, Timestamp, Uuid } from './fields.ts'

const webhookStatuses = ['created', 'healthy', 'unhealthy', 'error', 'removed'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

const webhookStatsStatuses = ['healthy', 'unhealthy', 'suspended', 'deleted'] as const
type WebhookStatsStatus = (typeof webhookStatsStatuses)[number]

/** Decision: the status of the statistics for each status of the webhook. */
export const statsStatusByStatus: Record<WebhookStatus, WebhookStatsStatus> = {
  created: 'healthy',
  healthy: 'healthy',
  unhealthy: 'unhealthy',
  error: 'suspended',
  removed: 'deleted',
}

export const Webhook = z
  .object({
    id: ResponseUuid,
    name: z.string(),
    url: z.string(),
    status: openEnum(webhookStatuses),
    events: z.array(z.string()),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

export const WebhookStats = z
  .object({
    id: ResponseUuid,
    status: openEnum(webhookStatsStatuses),
    queuedMessages: z.int().min(0),
    lastSuccessfulDeliveryTime: Timestamp.nullable(),
    lastFailedDeliveryTime: Timestamp.nullable(),
  })
  .meta({ id: 'WebhookStats' })
export type WebhookStats = z.infer<typeof WebhookStats>

/** Decision: the set of events is open, so a name is any text; `*` subscribes to all of them. */
const EventName = z
  .string('must be a string')
  .regex(/^\P{Cc}{1,128}$/u, 'must be an event name of 1 to 128 characters without control characters, or *')

export const CreateWebhook = z.object({
  url: z
    .string('must be a string')
    .max(...atMost(2048))
    .refine((url) => URL.canParse(url), 'must be an absolute URL'),
  events: z
    .array(EventName, 'must be an array of event names')
    .min(1, 'must name at least one event, or * for all events')
    .max(100, 'must have at most 100 names'),
  name: text(200).optional(),
})

export const webhookEndpoints = {
  createWebhook: endpoint({
    method: 'POST',
    path: '/webhooks',
    summary: 'Registers an address for deliveries; its first health check is a ping.',
    body: CreateWebhook,
    response: Webhook,
    errors: [],
  }),
  listWebhooks: endpoint({
    method: 'GET',
    path: '/webhooks',
    summary: 'The webhooks that are not removed.',
    response: z.object({ webhooks: z.array(Webhook) }),
    errors: [],
  }),
  removeWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/remove',
    summary: 'Removes a webhook; nothing more is delivered to it.',
    body: z.object({ webhookId: Uuid }),
    response: Webhook,
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
  listWebhookStats: endpoint({
    method: 'GET',
    path: '/webhooks/stats',
    summary: 'Delivery statistics of one webhook, or of all, removed ones included.',
    query: z.object({ webhookId: Uuid.optional() }),
    response: z.array(WebhookStats),
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
}
