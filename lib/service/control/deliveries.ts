import { randomUUID } from 'node:crypto'
import { and, eq, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { Uuid } from '#lib/contract/fields.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { ApiError } from '../api-error.ts'
import { sandboxNow } from '../clock.ts'
import type { Service } from '../service.ts'
import { events, webhooks } from '../tables/webhooks.ts'
import { attemptsLogged, listAttempts, logAttempt } from '../webhooks/attempt-log.ts'
import { transportOf } from '../webhooks/deliveries.ts'
import { deliveryBody, pingBody } from '../webhooks/message.ts'
import { isPinged } from '../webhooks/schedule.ts'
import { webhookPublicKeyPem } from '../webhooks/signer.ts'
import { noteEvent } from '../webhooks/wake-signal.ts'
import { controlRoute, pageQuery } from './control-route.ts'

export const deliveryRoutes = [
  controlRoute({
    method: 'GET',
    path: '/webhook-key',
    isOpen: true,
    response: async (service) =>
      new Response(await webhookPublicKeyPem(service), { headers: { 'Content-Type': 'application/x-pem-file' } }),
  }),
  controlRoute({
    method: 'POST',
    path: '/pings',
    body: z.object({ webhookId: Uuid }),
    response: (service, { webhookId }) => sendTestPing(service, webhookId),
  }),
  controlRoute({
    method: 'GET',
    path: '/deliveries',
    query: z.strictObject({ webhookId: Uuid, ...pageQuery }),
    response: async ({ db }, { webhookId, limit, cursor }) => {
      const [webhook] = await db.select().from(webhooks).where(eq(webhooks.id, webhookId))
      if (!webhook) throw new ApiError('WEBHOOK_NOT_FOUND', 'there is no such webhook')
      await attemptsLogged(db)
      const { dueAt, attempts } = webhook
      const next = dueAt && {
        at: dueAt.toISOString(),
        attempt: attempts + 1,
        kind: isPinged(webhook) ? 'ping' : 'delivery',
      }
      return { ...(await listAttempts(db, webhookId, { before: cursor, limit })), next }
    },
  }),
  controlRoute({
    method: 'POST',
    path: '/deliveries/replay',
    body: z.strictObject({ webhookId: Uuid, eventId: Uuid }),
    response: (service, { webhookId, eventId }) => replayEvent(service, webhookId, eventId),
  }),
]

/**
 * Sends a ping beside the queue, as every delivery is sent. One that is taken counts as a ping's success: a webhook that
 * was suspended or unhealthy is healthy, and its queue flows on. A failed one returns its result and changes nothing: the
 * schedule of retries and pings stays as it was. Throws `WEBHOOK_NOT_FOUND`.
 */
async function sendTestPing(service: Service, webhookId: string) {
  const webhook = await requireWebhook(service, webhookId)
  const id = randomUUID()
  const body = pingBody(id, await sandboxNow(service.db))
  const sent = await sendBeside(service, webhook, { id, event: 'ping', body, kind: 'test' })
  if (sent.delivered) await recover(service, webhookId)
  return sent
}

/**
 * An attempt that is under way at a message shows how its webhook is by its own end. One at a ping of the schedule has lost
 * its lease with this, and its end changes nothing any more.
 */
async function recover({ db }: Service, webhookId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const isFree = or(isNull(webhooks.leasedUntil), lte(webhooks.leasedUntil, sql`clock_timestamp()`))
    await tx
      .update(webhooks)
      .set({
        status: 'healthy',
        attempts: 0,
        dueAt: null,
        pingId: null,
        leaseId: null,
        leasedUntil: null,
        lastSuccessfulDeliveryTime: await sandboxNow(tx),
      })
      .where(and(eq(webhooks.id, webhookId), ne(webhooks.status, 'removed'), or(eq(webhooks.status, 'error'), isFree)))
    noteEvent(tx)
  })
}

/** Throws `WEBHOOK_NOT_FOUND`. */
async function requireWebhook({ db }: Service, webhookId: string): Promise<{ webhookId: string; url: string }> {
  const isThere = and(eq(webhooks.id, webhookId), ne(webhooks.status, 'removed'))
  const [webhook] = await db.select({ webhookId: webhooks.id, url: webhooks.url }).from(webhooks).where(isThere)
  if (!webhook) throw new ApiError('WEBHOOK_NOT_FOUND', 'there is no such webhook')
  return webhook
}

/**
 * Makes one attempt beside the queue, as every delivery is made, and logs it. `status` is null where the endpoint did not
 * respond.
 */
async function sendBeside(
  service: Service,
  { webhookId, url }: { webhookId: string; url: string },
  message: { id: string; event: string; body: string; kind: 'test' | 'replay' },
) {
  const { db } = service
  const at = await sandboxNow(db)
  const began = performance.now()
  const { signal } = new AbortController()
  const { id, event, body, kind } = message
  const { taken, status, problem } = await transportOf(service)({ url, body, signal })
  const durationMs = Math.round(performance.now() - began)
  logAttempt(db, { webhookId, eventId: id, event, kind, attempt: 1, at, status, problem, durationMs, nextAt: null })
  return { webhookId, delivered: taken, status, durationMs, problem }
}

/**
 * Sends an event to a webhook again, with the same id and content. It changes neither the webhook's state nor its queue. Throws
 * `WEBHOOK_NOT_FOUND`, and `INVALID_PARAMETERS` for an event that is not stored any more.
 */
async function replayEvent(service: Service, webhookId: string, eventId: string) {
  const webhook = await requireWebhook(service, webhookId)
  const [stored] = await service.db.select().from(events).where(eq(events.id, eventId))
  if (!stored) throw new ApiError('INVALID_PARAMETERS', 'eventId: must be an event of the last 90 days')
  return sendBeside(service, webhook, { ...stored, body: deliveryBody(stored), kind: 'replay' })
}
