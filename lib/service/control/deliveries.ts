import { randomUUID } from 'node:crypto'
import { and, asc, eq, gt, gte, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { webhookSignatureHeader } from '#lib/contract/events.ts'
import { text, Uuid } from '#lib/contract/fields.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { secondMs } from '#lib/shared/time.ts'
import { ApiError } from '../api-error.ts'
import { type ServiceWrite, readSandboxNow } from '../clock.ts'
import type { Service } from '../service.ts'
import { events, webhookAttempts, webhookMessages, webhooks } from '../tables/webhooks.ts'
import { attemptsLogged, eventIn, listAttempts, logAttempt } from '../webhooks/attempt-log.ts'
import { findTransport } from '../webhooks/deliveries.ts'
import { deliveryBody, pingBody } from '../webhooks/message.ts'
import { isPinged } from '../webhooks/schedule.ts'
import { readWebhookPublicKeyPem } from '../webhooks/signer.ts'
import { noteEvent } from '../webhooks/wake-signal.ts'
import { changeRoute, controlRoute, pageQuery, rowLimit, Instant, rowId } from './control-route.ts'
import { signDelivery } from './events.ts'

export const deliveryRoutes = [
  controlRoute({
    method: 'GET',
    path: '/webhook-key',
    isOpen: true,
    response: async (service) =>
      new Response(await readWebhookPublicKeyPem(service), { headers: { 'Content-Type': 'application/x-pem-file' } }),
  }),
  controlRoute({
    method: 'POST',
    path: '/pings',
    body: z.strictObject({ webhookId: Uuid }),
    response: (service, { webhookId }) => sendTestPing(service, webhookId),
  }),
  controlRoute({
    method: 'GET',
    path: '/deliveries',
    query: z.strictObject({ webhookId: Uuid, event: text(200).optional(), eventId: Uuid.optional(), ...pageQuery }),
    response: async ({ db }, { webhookId, limit, cursor, event, eventId }) => {
      const [webhook] = await db.select().from(webhooks).where(eq(webhooks.id, webhookId))
      if (!webhook) throw noWebhook()
      await attemptsLogged(db)
      const { dueAt, attempts } = webhook
      const next = dueAt && {
        at: dueAt.toISOString(),
        attempt: attempts + 1,
        kind: isPinged(webhook) ? 'ping' : 'delivery',
      }
      const filters = { ...(event !== undefined && { event }), ...(eventId !== undefined && { eventId }) }
      return { ...(await listAttempts(db, webhookId, { before: cursor, limit, ...filters })), next }
    },
  }),
  controlRoute({
    method: 'GET',
    path: '/deliveries/attempt',
    query: z.strictObject({ id: rowId('must be the id of an attempt') }),
    response: (service, { id }) => readAttempt(service, id),
  }),
  controlRoute({
    method: 'GET',
    path: '/deliveries/queue',
    query: z.strictObject({ webhookId: Uuid, limit: rowLimit(1000, 100) }),
    response: async (service, { webhookId, limit }) => {
      await requireWebhook(service, webhookId)
      return listQueue(service, webhookId, limit)
    },
  }),
  controlRoute({
    method: 'POST',
    path: '/deliveries/retry',
    body: z.strictObject({ webhookId: Uuid }),
    response: retryNow,
  }),
  changeRoute({
    path: '/deliveries/skip',
    body: z.strictObject({ webhookId: Uuid, eventId: Uuid }),
    change: skipMessage,
  }),
  controlRoute({
    method: 'POST',
    path: '/deliveries/replay',
    body: z.strictObject({ webhookId: Uuid, eventId: Uuid }),
    response: (service, { webhookId, eventId }) => replayEvent(service, webhookId, eventId),
  }),
  controlRoute({
    method: 'POST',
    path: '/deliveries/replay-since',
    body: z.strictObject({
      webhookId: Uuid,
      since: Instant,
      after: Uuid.optional(),
      event: text(200).optional(),
      preview: z.boolean('must be true or false').default(false),
    }),
    response: replaySince,
  }),
]

/** An attempt with what was sent and what came back. The body of a ping that no queue held is not stored. */
async function readAttempt(service: Service, id: number) {
  const { db } = service
  await attemptsLogged(db)
  const [found] = await db
    .select({ attempt: webhookAttempts, url: webhooks.url })
    .from(webhookAttempts)
    .innerJoin(webhooks, eq(webhooks.id, webhookAttempts.webhookId))
    .where(eq(webhookAttempts.id, id))
  if (!found) throw new ApiError('NOT_FOUND', 'there is no such attempt in the log')
  const {
    attempt: { response, ...attempt },
    url,
  } = found
  const [stored] = await db.select().from(events).where(eq(events.id, attempt.eventId))
  const sent = stored ? await signDelivery(service, stored) : null
  return {
    attempt: { ...attempt, id: String(attempt.id) },
    request: sent && {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', [webhookSignatureHeader]: sent.signature },
      body: sent.body,
    },
    response: attempt.status === null ? null : { status: attempt.status, body: response },
  }
}

/** The messages that wait, in the order in which they will be delivered. */
async function listQueue({ db }: Service, webhookId: string, limit: number) {
  const ofWebhook = eq(webhookMessages.webhookId, webhookId)
  const rows = await db
    .select({ eventId: webhookMessages.eventId, body: webhookMessages.body })
    .from(webhookMessages)
    .where(ofWebhook)
    .orderBy(asc(webhookMessages.position))
    .limit(limit)
  return {
    total: await db.$count(webhookMessages, ofWebhook),
    waiting: rows.map(({ eventId, body }) => ({ eventId, event: eventIn(body), body })),
  }
}

/**
 * Makes the next attempt due now. It counts as the one that it is: the schedule goes on from it. A suspended webhook gets a test ping instead,
 * which leaves the hour of its deletion as it was.
 */
async function retryNow(service: Service, { webhookId }: { webhookId: string }) {
  if (isPinged(await requireWebhook(service, webhookId))) return sendTestPing(service, webhookId)
  return inTransaction(service.db, async (tx) => {
    const now = await readSandboxNow(tx)
    const [webhook] = await tx
      .update(webhooks)
      .set({ dueAt: sql`case when due_at is null then null else ${now.toISOString()}::timestamptz end` })
      .where(isThere(webhookId))
      .returning({ dueAt: webhooks.dueAt, attempts: webhooks.attempts })
    if (!webhook) throw noWebhook()
    if (!webhook.dueAt) throw new ApiError('INVALID_PARAMETERS', 'webhookId: nothing waits for a retry')
    noteEvent(tx)
    return { webhookId, dueAt: webhook.dueAt.toISOString(), attempt: webhook.attempts + 1, kind: 'delivery' as const }
  })
}

/**
 * Takes one message out of a queue. Where it was the first one, the next one is attempted at once, and an attempt at it that is under way
 * changes nothing any more.
 */
async function skipMessage({ db }: ServiceWrite, { webhookId, eventId }: { webhookId: string; eventId: string }) {
  const [webhook] = await db.select().from(webhooks).where(isThere(webhookId)).for('update')
  if (!webhook) throw noWebhook()
  const [skipped] = await db
    .delete(webhookMessages)
    .where(and(eq(webhookMessages.webhookId, webhookId), eq(webhookMessages.eventId, eventId)))
    .returning()
  if (!skipped) throw new ApiError('INVALID_PARAMETERS', 'eventId: must be an event that waits for this webhook')
  const isAhead = and(eq(webhookMessages.webhookId, webhookId), lt(webhookMessages.position, skipped.position))
  const wasFirst =
    webhook.heldBy === skipped.position || (webhook.heldBy === null && !(await db.$count(webhookMessages, isAhead)))
  if (wasFirst) {
    const freed = { heldBy: null, attempts: 0, dueAt: null, leaseId: null, leasedUntil: null }
    await db
      .update(webhooks)
      .set(isPinged(webhook) ? { heldBy: null } : freed)
      .where(eq(webhooks.id, webhookId))
    noteEvent(db)
  }
  return {
    webhookId,
    eventId,
    event: eventIn(skipped.body),
    queued: await db.$count(webhookMessages, eq(webhookMessages.webhookId, webhookId)),
  }
}

const mostReplayed = 1000
/** Who asked waits for the result, and may ask again where none comes: no two replays are to run side by side. */
const longestReplayMs = 20 * secondMs

/**
 * Sends the events since a time that a webhook subscribes to again, in their order and beside the queue, until one is not taken or it takes too long.
 * `after` is the event behind which it begins: the last delivered one, to go on. With `preview` it sends none and returns what it would send.
 */
async function replaySince(
  service: Service,
  {
    webhookId,
    since,
    after,
    event,
    preview,
  }: { webhookId: string; since: Date; after?: string | undefined; event?: string | undefined; preview: boolean },
) {
  const webhook = await requireWebhook(service, webhookId)
  const isSubscribed = webhook.events.includes('*') ? undefined : inArray(events.event, webhook.events)
  const isChosen = event === undefined ? undefined : eq(events.event, event)
  const { db } = service
  const positionOf = (id: string) => db.select({ position: events.position }).from(events).where(eq(events.id, id))
  const isLater = after === undefined ? undefined : gt(events.position, positionOf(after))
  const found = await db
    .select()
    .from(events)
    .where(and(gte(events.time, since), isLater, isSubscribed, isChosen))
    .orderBy(asc(events.position))
    .limit(mostReplayed + 1)
  const chosen = found.slice(0, mostReplayed)
  const listed = chosen.map(({ id, event: name, time }) => ({ eventId: id, event: name, time: time.toISOString() }))
  const rest = { hasMore: found.length > mostReplayed }
  if (preview) return { webhookId, events: listed, delivered: 0, failed: null, ...rest }
  const startMs = performance.now()
  for (const [index, stored] of chosen.entries()) {
    if (performance.now() - startMs > longestReplayMs) {
      return { webhookId, events: listed, delivered: index, failed: null, hasMore: true }
    }
    const sent = await sendBeside(service, webhook, { ...stored, body: deliveryBody(stored), kind: 'replay' })
    if (!sent.delivered) {
      const { status, problem } = sent
      return { webhookId, events: listed, delivered: index, failed: { ...listed[index], status, problem }, ...rest }
    }
  }
  return { webhookId, events: listed, delivered: chosen.length, failed: null, ...rest }
}

/**
 * Sends a ping beside the queue, as every delivery is sent. One that is taken counts as a ping's success: a webhook that
 * was suspended or unhealthy is healthy, and its queue flows on. A failed one returns its result and changes nothing: the
 * schedule of retries and pings stays as it was. Throws `WEBHOOK_NOT_FOUND`.
 */
async function sendTestPing(service: Service, webhookId: string) {
  const webhook = await requireWebhook(service, webhookId)
  const id = randomUUID()
  const body = pingBody(id, await readSandboxNow(service.db))
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
        lastSuccessfulDeliveryTime: await readSandboxNow(tx),
      })
      .where(and(isThere(webhookId), or(eq(webhooks.status, 'error'), isFree)))
    noteEvent(tx)
  })
}

/** Throws `WEBHOOK_NOT_FOUND`. */
async function requireWebhook({ db }: Service, webhookId: string) {
  const [webhook] = await db
    .select({ webhookId: webhooks.id, url: webhooks.url, status: webhooks.status, events: webhooks.events })
    .from(webhooks)
    .where(isThere(webhookId))
  if (!webhook) throw noWebhook()
  return webhook
}

function isThere(webhookId: string) {
  return and(eq(webhooks.id, webhookId), ne(webhooks.status, 'removed'))
}

function noWebhook(): ApiError {
  return new ApiError('WEBHOOK_NOT_FOUND', 'there is no such webhook')
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
  const at = await readSandboxNow(db)
  const began = performance.now()
  const { signal } = new AbortController()
  const { id, event, body, kind } = message
  const { taken, status, problem, response = null } = await findTransport(service)({ url, body, signal })
  const durationMs = Math.round(performance.now() - began)
  const made = { webhookId, eventId: id, event, kind, attempt: 1, at, status, problem, durationMs, response }
  logAttempt(db, { ...made, nextAt: null })
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
