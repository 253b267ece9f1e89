import 'server-only'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { CreateWebhook } from '#lib/contract/webhooks.ts'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { act, ActionInput, type Action, type ActionResult } from '../desk/operations/act.ts'
import { ServiceId } from '../desk/parse.ts'
import { watchedWebhooks } from '../desk/tables/webhooks.ts'
import { lookAtWebhooks } from './look.ts'
import { targetOf, watched } from './watched.ts'

const Removal = ActionInput.extend({
  webhookId: ServiceId,
  /** The number of queued events that the person typed: no more than these may be lost. */
  confirmQueued: z
    .union([z.number(), z.string().regex(/^\d{1,9}$/)], 'must be the number of queued events')
    .transform(Number),
})

const Creation = ActionInput.extend({
  url: CreateWebhook.shape.url,
  events: CreateWebhook.shape.events,
  name: CreateWebhook.shape.name.or(z.literal('').transform(() => undefined)),
})

const Recreation = ActionInput.extend({ webhookId: ServiceId })

export type RemoveWebhookInput = z.input<typeof Removal>
export type CreateWebhookInput = z.input<typeof Creation>
export type RecreateWebhookInput = z.input<typeof Recreation>

/** Removes a webhook with its queue. Refused where more events are queued than the person was told of. */
export function removeWebhook(input: RemoveWebhookInput): Promise<ActionResult> {
  return manage('webhook.remove', Removal, input, async ({ environment, webhookId, confirmQueued }) => {
    await lookAtWebhooks(environment, 0).catch(() => undefined)
    const webhook = await watched(environment, webhookId)
    if (webhook && webhook.queuedMessages !== null && webhook.queuedMessages > confirmQueued) {
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

export function createWebhook(input: CreateWebhookInput): Promise<ActionResult> {
  return manage('webhook.create', Creation, input, async ({ environment, operationId, url, events, name }) => ({
    target: { type: 'webhook', id: operationId, parentId: null, label: name ?? url },
    endpoint: 'createWebhook',
    body: { url, events, ...(name ? { name } : {}) },
    statusBefore: null,
    expected: await idsBefore(environment, url),
  }))
}

/** Creates a deleted webhook anew, with the address, name and events that the console saw it have. */
export function recreateWebhook(input: RecreateWebhookInput): Promise<ActionResult> {
  return manage('webhook.recreate', Recreation, input, async ({ environment, webhookId }) => {
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
      expected: await idsBefore(environment, url),
    }
  })
}

/** What all three have in common. */
function manage<Schema extends z.ZodType<ActionInput>>(
  kind: Action<Schema>['kind'],
  schema: Schema,
  input: unknown,
  prepare: Action<Schema>['prepare'],
): Promise<ActionResult> {
  const about: Action<Schema>['about'] = (idIn) => {
    const webhookId = idIn('webhookId')
    return webhookId ? targetOf(webhookId, null) : null
  }
  return act({ kind, permission: 'webhooks.manage', input: schema, about, prepare }, input, () => ({}))
}

/** The webhooks of a URL before another one is made, so that the new one can be found if the response is lost. */
async function idsBefore(environment: Environment, url: string): Promise<Record<string, string>> {
  const rows = await database()
    .select({ id: watchedWebhooks.id })
    .from(watchedWebhooks)
    .where(and(eq(watchedWebhooks.environment, environment), eq(watchedWebhooks.url, url)))
  return { idsBefore: rows.map(({ id }) => id).join(' ') }
}
