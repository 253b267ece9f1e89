import 'server-only'
import { z } from 'zod'
import { builtInControl, callControlPlane, ControlRefused, isBuiltIn } from '#lib/environments/control-plane.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { maskCardNumbersInJson } from '#lib/shared/card-numbers.ts'
import { isServiceId } from '#lib/shared/ids.ts'
import { logFailure } from '#lib/shared/log.ts'
import { dateTime, parseSearch, plainText } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { findWatched } from './watched.ts'

/** Times are ISO 8601 of the service's clock; `problem` is null where the endpoint took it. */
const Attempt = z.object({
  id: z.string(),
  webhookId: z.string().optional(),
  eventId: z.string(),
  event: z.string(),
  /** `delivery`, `ping`, `test`, `replay`, or an unknown one. */
  kind: z.string(),
  attempt: z.number(),
  at: z.string(),
  status: z.number().nullable(),
  problem: z.string().nullable(),
  durationMs: z.number(),
  nextAt: z.string().nullable(),
})

const Log = z.object({
  attempts: z.array(Attempt),
  nextCursor: z.string().nullable(),
  next: z.object({ at: z.string(), attempt: z.number(), kind: z.string() }).nullable(),
})

/** `isOffered`: the service logs attempts. The interface has no such log; the built-in service's control plane has. */
type DeliveryLog = z.output<typeof Log> & { isOffered: boolean }

const Search = z
  .object({ cursor: z.string().regex(/^\d{1,15}$/, 'must be the cursor of another page'), event: plainText(200) })
  .partial()

const listed = 20
/** The first of a queue holds back the others: few are looked at. */
const queueShown = 5

/** The newest attempts at a webhook, of one event where `event` names it. Throws `WEBHOOK_NOT_FOUND` for one that the console has never known. */
export async function listDeliveries(
  environment: Environment,
  webhookId: string,
  search: z.input<typeof Search> = {},
): Promise<DeliveryLog> {
  const query = { limit: String(listed), ...parseSearch(Search, search) }
  const log = await readOfWebhook(environment, webhookId, Log, (id) => ({
    path: `/deliveries?${new URLSearchParams({ webhookId: id, ...query })}`,
  }))
  return log ? { isOffered: true, ...log } : { isOffered: isBuiltIn(environment), ...noAttempts }
}

const noAttempts = { attempts: [], nextCursor: null, next: null }

const Sent = z.object({
  attempt: Attempt,
  request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() }).nullable(),
  response: z.object({ status: z.number(), body: z.string().nullable() }).nullable(),
})

/** Request and response of an attempt. `body` is JSON with card numbers masked. */
type Delivery = Pick<z.output<typeof Sent>, 'request' | 'response'>

/** Throws `DELIVERY_NOT_FOUND` for an attempt that the log does not hold any more, or of another webhook. */
export async function readDelivery(environment: Environment, webhookId: string, attemptId: string): Promise<Delivery> {
  const isId = /^\d{1,15}$/.test(attemptId)
  const call = () => ({ path: `/deliveries/attempt?id=${attemptId}` }) as const
  const sent = isId && (await readOfWebhook(environment, webhookId, Sent, call))
  if (!sent || sent.attempt.webhookId !== webhookId.toLowerCase()) {
    throw new AppError('DELIVERY_NOT_FOUND', 'The service’s log has no such attempt any more.')
  }
  const { request, response } = sent
  return { request: request && { ...request, body: maskCardNumbersInJson(request.body) }, response }
}

const Queue = z.object({
  total: z.number(),
  waiting: z.array(z.object({ eventId: z.string(), event: z.string() })),
})
type DeliveryQueue = z.output<typeof Queue>

/** The events that wait for a webhook, the next one first; `total` counts those beyond the page, too. Nothing without a control plane. */
export async function readDeliveryQueue(environment: Environment, webhookId: string): Promise<DeliveryQueue> {
  const queue = await readOfWebhook(environment, webhookId, Queue, (id) => ({
    path: `/deliveries/queue?${new URLSearchParams({ webhookId: id, limit: String(queueShown) })}`,
  }))
  return queue ?? { total: 0, waiting: [] }
}

const Replay = z.object({ events: z.array(z.object({ event: z.string() })), hasMore: z.boolean() })
const ReplaySearch = z.object({ since: dateTime, event: plainText(200).optional() })

/** Events that a replay since a time would send, the oldest first; `hasMore`: more than it sends at once. */
export async function previewReplay(
  environment: Environment,
  webhookId: string,
  search: { since?: string; event?: string } = {},
): Promise<{ count: number; hasMore: boolean }> {
  const { since, event } = parseSearch(ReplaySearch, search)
  const body = { since: since.toISOString(), preview: true, ...(event !== undefined && { event }) }
  const found = await readOfWebhook(environment, webhookId, Replay, (id) => ({
    path: '/deliveries/replay-since',
    body: { webhookId: id, ...body },
  }))
  return { count: found?.events.length ?? 0, hasMore: found?.hasMore ?? false }
}

/**
 * A read of the control plane about a webhook; `toCall` gets its id as it is stored. Null where the service has no control plane, or knows
 * the webhook no more. Throws `WEBHOOK_NOT_FOUND` for one that the console has never known, and `SERVICE_UNREACHABLE`.
 */
async function readOfWebhook<Schema extends z.ZodType>(
  environment: Environment,
  webhookId: string,
  schema: Schema,
  toCall: (storedId: string) => { path: `/deliveries${string}`; body?: object },
): Promise<z.output<Schema> | null> {
  const known = isServiceId(webhookId) ? await findWatched(environment, webhookId) : null
  if (!known) throw new AppError('WEBHOOK_NOT_FOUND', 'There is no such webhook in this environment.')
  const control = builtInControl(environment)
  if (!control) return null
  try {
    return schema.parse(await callControlPlane(control, toCall(known.id)))
  } catch (error) {
    // After a reset of the sandbox only the console's own record of a webhook remains.
    if (error instanceof ControlRefused && error.code?.endsWith('NOT_FOUND')) return null
    logFailure(error, { while: 'reading the deliveries of a webhook' })
    throw new AppError('SERVICE_UNREACHABLE', 'The card service isn’t responding.')
  }
}
