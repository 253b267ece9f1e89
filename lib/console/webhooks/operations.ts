import 'server-only'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Webhook } from '#lib/contract/records.ts'
import { CreateWebhook } from '#lib/contract/webhooks.ts'
import { database } from '#lib/db/connection.ts'
import { callService, type Accepted } from '#lib/environments/environments.ts'
import type { Fields } from '#lib/gate/action.ts'
import { readOtherRecords, type OperationRow } from '#lib/operations/journal.ts'
import {
  OperationInput,
  hasResult,
  isRecord,
  notDone,
  operationSpec,
  refusedFields,
  doneOrNot,
  type Confirmation,
} from '#lib/operations/spec.ts'
import { findById, sameId } from '#lib/shared/ids.ts'
import { ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { sameUrl } from '#lib/shared/texts.ts'
import { watchedWebhooks } from '#lib/tables/webhooks.ts'
import { isOwnInbox } from '../connection/inbox-url.ts'
import { pollWebhooks } from './poll.ts'
import { toWebhookTarget, findWatched, isReplaced, webhookTarget } from './watched.ts'

const Removal = OperationInput.extend({
  webhookId: ServiceId,
  /** The number of queued events that the person typed: no more than these may be lost. */
  confirmQueued: z
    .union([z.number(), z.string().regex(/^\d{1,9}$/)], 'must be the number of queued events')
    .transform(Number),
})

const Creation = OperationInput.extend({
  url: CreateWebhook.shape.url,
  events: CreateWebhook.shape.events,
  name: CreateWebhook.shape.name.or(z.literal('').transform(() => undefined)),
})

const Recreation = OperationInput.extend({ webhookId: ServiceId })

const shared = { target: webhookTarget, changes: () => [{ type: 'webhooks' as const }] }

const creating = { ...shared, endpoint: 'createWebhook', readBack: readBackCreated, isShownBy: hasResult } as const

export const webhookOperations = {
  /** Removes a webhook with its queue. Refused where more events are queued than the person confirmed. */
  'webhook.remove': operationSpec({
    ...shared,
    endpoint: 'removeWebhook',
    input: Removal,
    stepUp: () => true,
    request: ({ webhookId }) => ({ target: toWebhookTarget(webhookId, null), body: { webhookId } }),
    async check({ environment, webhookId, confirmQueued }) {
      await pollWebhooks(environment, 0).catch(() => undefined)
      const webhook = await findWatched(environment, webhookId)
      if (isOwnInbox(webhook?.url, environment)) {
        return { fields: { webhookId: 'is Carddesk’s own inbox, which can’t be removed' } }
      }
      const queued = webhook?.queuedMessages
      if (queued && queued > confirmQueued) {
        return { fields: { confirmQueued: `is too low: ${queued} events are queued now` } }
      }
      return { target: toWebhookTarget(webhookId, webhook), statusBefore: webhook?.statsStatus ?? null }
    },
    async readBack({ environment, targetId }) {
      await pollWebhooks(environment, 0)
      const { response } = await callService(environment, 'listWebhooks', {})
      const webhook = findById(response.webhooks, targetId)
      const isDone = !webhook || webhook.status === 'removed'
      return doneOrNot(isDone, isDone ? 'removed' : webhook.status, 'The webhook is still listed.', webhook ?? null)
    },
    isShownBy: (row, _sent, { response }) => isRecord(response, row.targetId) && response.status === 'removed',
  }),
  'webhook.create': operationSpec({
    ...creating,
    input: Creation,
    request: async ({ environment, operationId, url, events, name }) => ({
      target: { type: 'webhook', id: operationId, parentId: null, label: name ?? url },
      body: { url, events, ...(name ? { name } : {}) },
      expected: await readIdsBefore(environment, url),
    }),
    fieldsOfError: (row) => refusedFields(row, ['url', 'name', 'events']),
  }),
  /**
   * Creates a deleted webhook again, with the URL, name and events that the console last read. Refused where somebody has done so already:
   * each event would be delivered twice.
   */
  'webhook.recreate': operationSpec({
    ...creating,
    input: Recreation,
    async request({ environment, webhookId }) {
      const webhook = await findWatched(environment, webhookId)
      if (!webhook?.url || !webhook.events || webhook.events.length === 0) {
        return { fields: { webhookId: 'is not a webhook whose URL and events are known' } }
      }
      if (webhook.statsStatus !== 'deleted') return { fields: { webhookId: 'is not deleted; it can still recover' } }
      const { url, events, name } = webhook
      return {
        target: toWebhookTarget(webhookId, webhook),
        body: { url, events, ...(name ? { name } : {}) },
        statusBefore: 'deleted',
        expected: await readIdsBefore(environment, url),
      }
    },
    async check({ environment, webhookId }) {
      await pollWebhooks(environment, 0).catch(() => undefined)
      const [webhook, all] = await Promise.all([
        findWatched(environment, webhookId),
        database().select().from(watchedWebhooks).where(eq(watchedWebhooks.environment, environment)),
      ])
      if (webhook && isReplaced(webhook, all)) {
        return { fields: { webhookId: 'exists again: another webhook has its address and events' } }
      }
      return { target: toWebhookTarget(webhookId, webhook) }
    },
  }),
}

/** The webhooks of a URL before another one is made, so that the new one can be found if the response is lost. */
async function readIdsBefore(environment: Environment, url: string): Promise<Record<string, string>> {
  const rows = await database()
    .select({ id: watchedWebhooks.id, url: watchedWebhooks.url })
    .from(watchedWebhooks)
    .where(eq(watchedWebhooks.environment, environment))
  const ids = rows.filter((row) => sameUrl(row.url, url)).map(({ id }) => id)
  return { idsBefore: ids.join(' ') }
}

/** Finds a webhook of the same URL that did not exist before the operation. */
async function readBackCreated(
  row: OperationRow,
  sent: Fields,
  accepted: Accepted | null,
): Promise<Confirmation<Webhook>> {
  await pollWebhooks(row.environment, 0)
  const { response } = await callService(row.environment, 'listWebhooks', {})
  const isOther = await readOtherRecords(row)
  const madeId = accepted?.resultId ?? row.resultId
  const made = response.webhooks.find((webhook) =>
    madeId ? sameId(webhook.id, madeId) : sameUrl(webhook.url, sent.url) && !isOther(webhook.id),
  )
  if (!made) return notDone('The webhook is not listed.')
  const events = Array.isArray(sent.events) ? sent.events : []
  const missing = made.events === null ? [] : events.filter((event) => !made.events?.includes(String(event)))
  return {
    verdict: missing.length === 0 ? 'done' : 'partial',
    statusAfter: made.status,
    resultId: made.id,
    detail: missing.length === 0 ? null : `The webhook was created without ${missing.join(', ')}.`,
    record: made,
  }
}
