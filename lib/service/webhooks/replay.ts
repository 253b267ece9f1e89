import { and, eq, ne } from 'drizzle-orm'
import { ApiError } from '../api-error.ts'
import { sandboxNow } from '../clock.ts'
import type { Service } from '../service.ts'
import { events, webhooks } from '../tables/webhooks.ts'
import { logAttempt } from './attempt-log.ts'
import { transportOf } from './deliveries.ts'
import { deliveryBody } from './message.ts'
import type { DeliveryProblem } from './transport.ts'

/** The result of a delivery beside the queue; `status` is null where the endpoint did not respond. */
export type SentBeside = {
  webhookId: string
  delivered: boolean
  status: number | null
  durationMs: number
  problem: DeliveryProblem | null
}

/** Throws `WEBHOOK_NOT_FOUND`. */
export async function requireWebhook({ db }: Service, webhookId: string): Promise<{ url: string }> {
  const isThere = and(eq(webhooks.id, webhookId), ne(webhooks.status, 'removed'))
  const [webhook] = await db.select({ url: webhooks.url }).from(webhooks).where(isThere)
  if (!webhook) throw new ApiError('WEBHOOK_NOT_FOUND', 'there is no such webhook')
  return webhook
}

/** Makes one attempt beside the queue, as every delivery is made, and logs it. */
export async function sendBeside(
  service: Service,
  { webhookId, url }: { webhookId: string; url: string },
  message: { id: string; event: string; body: string; kind: 'test' | 'replay' },
): Promise<SentBeside> {
  const { db } = service
  const at = await sandboxNow(db)
  const began = performance.now()
  const { signal } = new AbortController()
  const { id, event, body, kind } = message
  const { taken, status, problem } = await transportOf(service)({ url, id, body, signal })
  const durationMs = Math.round(performance.now() - began)
  logAttempt(db, { webhookId, eventId: id, event, kind, attempt: 1, at, status, problem, durationMs, nextAt: null })
  return { webhookId, delivered: taken, status, durationMs, problem }
}

/**
 * Sends an event to a webhook again, with the same id and bytes. It changes neither the webhook's state nor its queue. Throws
 * `WEBHOOK_NOT_FOUND`, and `INVALID_PARAMETERS` for an event that is not stored any more.
 */
export async function replayEvent(service: Service, webhookId: string, eventId: string): Promise<SentBeside> {
  const { url } = await requireWebhook(service, webhookId)
  const [stored] = await service.db.select().from(events).where(eq(events.id, eventId))
  if (!stored) throw new ApiError('INVALID_PARAMETERS', 'eventId: must be an event of the last 90 days')
  const { id, event, data, time } = stored
  const body = deliveryBody({ id, event, data, time })
  return sendBeside(service, { webhookId, url }, { id, event, body, kind: 'replay' })
}
