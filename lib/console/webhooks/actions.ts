import 'server-only'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { CreateWebhook } from '#lib/contract/webhooks.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { database } from '#lib/db/connection.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { environments, type Environment } from '#lib/shared/routes.ts'
import { bytesOf } from '../environments.ts'
import { logFailure } from '../log.ts'
import type { OperationKind } from '../operations/kinds.ts'
import { operationOf, type Operation } from '../operations/operation.ts'
import { refusedBeforeSending, type Outcome } from '../operations/outcome.ts'
import { auditRefusals, performOperation } from '../operations/perform.ts'
import { fieldErrors } from '../parse.ts'
import { isRefusal, Refusal } from '../refusal.ts'
import { currentSession, requirePermission } from '../session.ts'
import type { Staff } from '../staff.ts'
import { watchedWebhooks } from '../tables/webhooks.ts'
import type { Target } from '../target.ts'
import { lookAtWebhooks } from './look.ts'

const id = z.uuid('must be a UUID').toLowerCase()

const Base = z.object({
  environment: z.enum(environments, 'must be sandbox or production'),
  /** A UUID that the dialog makes when it opens: the same operation under double click, reload and retry. */
  operationId: id,
})

const Removal = Base.extend({
  webhookId: id,
  /** The number of queued events that the person typed: no more than these may be lost. */
  confirmQueued: z
    .union([z.number(), z.string().regex(/^\d{1,9}$/)], 'must be the number of queued events')
    .transform(Number),
})

const Creation = Base.extend({
  url: CreateWebhook.shape.url,
  events: CreateWebhook.shape.events,
  name: CreateWebhook.shape.name.or(z.literal('').transform(() => undefined)),
})

const Recreation = Base.extend({ webhookId: id })

export type RemoveWebhookInput = z.input<typeof Removal>
export type CreateWebhookInput = z.input<typeof Creation>
export type RecreateWebhookInput = z.input<typeof Recreation>

/** As for cards: `settled` has an outcome; `invalid` and `refused` sent nothing. */
export type WebhookActionResult =
  | { kind: 'settled'; operation: Operation }
  | { kind: 'invalid'; fields: Record<string, string> }
  | { kind: 'refused'; outcome: Outcome }

type Request = { target: Target; endpoint: EndpointName; body: object; statusBefore: string | null }
type Prepared = Request | { fields: Record<string, string> }

/** Removes a webhook with its queue. Refused where more events are queued than the person was told of. */
export function removeWebhook(input: RemoveWebhookInput): Promise<WebhookActionResult> {
  return act('webhook.remove', Removal, input, async ({ environment, webhookId, confirmQueued }) => {
    await lookAtWebhooks(environment, 0).catch(() => undefined)
    const webhook = await watched(environment, webhookId)
    if (webhook && webhook.queuedMessages > confirmQueued) {
      return { fields: { confirmQueued: `is too low: ${webhook.queuedMessages} events are queued now` } }
    }
    return {
      target: targetOf(webhookId, webhook),
      endpoint: 'removeWebhook',
      body: { webhookId },
      statusBefore: webhook?.statsStatus ?? null,
    }
  })
}

export function createWebhook(input: CreateWebhookInput): Promise<WebhookActionResult> {
  return act('webhook.create', Creation, input, async ({ operationId, url, events, name }) => ({
    target: { type: 'webhook', id: operationId, parentId: null, label: name ?? url },
    endpoint: 'createWebhook',
    body: { url, events, ...(name ? { name } : {}) },
    statusBefore: null,
  }))
}

/** Creates a deleted webhook anew, with the address, name and events that the console saw it have. */
export function recreateWebhook(input: RecreateWebhookInput): Promise<WebhookActionResult> {
  return act('webhook.recreate', Recreation, input, async ({ environment, webhookId }) => {
    const webhook = await watched(environment, webhookId)
    if (!webhook?.url || !webhook.events || webhook.events.length === 0) {
      return { fields: { webhookId: 'is not a webhook whose address and events the console has seen' } }
    }
    if (webhook.statsStatus !== 'deleted') return { fields: { webhookId: 'is not deleted; it can still recover' } }
    const { url, events, name } = webhook
    return {
      target: targetOf(webhookId, webhook),
      endpoint: 'createWebhook',
      body: { url, events, ...(name ? { name } : {}) },
      statusBefore: 'deleted',
    }
  })
}

/** Permission, input, operation, and a look at the truth afterwards. What arrives is whatever a browser sent. */
async function act<Schema extends z.ZodType<z.output<typeof Base>>>(
  kind: OperationKind,
  schema: Schema,
  input: unknown,
  prepareRequest: (parsed: z.output<Schema>) => Promise<Prepared>,
): Promise<WebhookActionResult> {
  try {
    const environment = environmentOf(input)
    const staff = await requireActor(kind, environment, input)
    const parsed = schema.safeParse(input)
    if (!parsed.success) return { kind: 'invalid', fields: fieldErrors(parsed.error) }
    const request = await prepareRequest(parsed.data)
    if ('fields' in request) return { kind: 'invalid', fields: request.fields }
    const { target, endpoint, body, statusBefore } = request
    const row = await performOperation({
      id: parsed.data.operationId,
      environment,
      kind,
      by: { id: staff.id, name: staff.name, role: staff.role },
      target,
      reason: null,
      comment: null,
      endpoint,
      ...bytesOf(endpoint, body),
      holdsSecret: false,
      statusBefore,
    })
    await lookAtWebhooks(environment, 0).catch((error: unknown) => {
      if (!isRefusal(error)) logFailure(error, { while: 'looking at the webhooks after an operation' })
    })
    return { kind: 'settled', operation: operationOf(row) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { kind: 'refused', outcome: refusedBeforeSending(error.code, error.message) }
  }
}

async function watched(environment: Environment, webhookId: string) {
  const [row] = await database()
    .select()
    .from(watchedWebhooks)
    .where(and(eq(watchedWebhooks.environment, environment), eq(watchedWebhooks.id, webhookId)))
  return row ?? null
}

function targetOf(webhookId: string, webhook: { name: string | null; url: string | null } | null): Target {
  return { type: 'webhook', id: webhookId, parentId: null, label: webhook?.name ?? webhook?.url ?? null }
}

function environmentOf(input: unknown): Environment {
  const asked = typeof input === 'object' && input !== null && 'environment' in input ? input.environment : null
  const environment = environments.find((name) => name === asked)
  if (!environment) throw new Refusal('ENVIRONMENT_NOT_FOUND', 'There is no such environment.')
  return environment
}

/** Who acts. An attempt without the permission stands in the audit trail. */
async function requireActor(kind: OperationKind, environment: Environment, input: unknown): Promise<Staff> {
  const session = await currentSession()
  if (!session) return requirePermission('webhooks.manage', environment)
  const asked = input as Partial<Record<string, unknown>>
  const uuidOf = (field: string) => {
    const value = asked[field]
    return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : null
  }
  const { id, name, role } = session.staff
  const webhookId = uuidOf('webhookId')
  return auditRefusals(
    {
      id: uuidOf('operationId'),
      environment,
      kind,
      by: { id, name, role },
      target: webhookId ? targetOf(webhookId, null) : null,
      reason: null,
      comment: null,
    },
    () => requirePermission('webhooks.manage', environment),
  )
}
