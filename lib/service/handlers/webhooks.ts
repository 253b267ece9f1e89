import { and, count, desc, eq, ne } from 'drizzle-orm'
import { isEventName } from '#lib/contract/events.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { statsStatusByStatus, Webhook, WebhookStats } from '#lib/contract/webhooks.ts'
import { closestName } from '#lib/shared/closest-name.ts'
import { ApiError, type FieldIssue } from '../api-error.ts'
import type { Handlers, Rule } from '../handler.ts'
import { newRowId } from '../row-ids.ts'
import { webhookMessages, webhooks } from '../tables/webhooks.ts'
import { webhookUrlError } from '../webhook-address.ts'
import { initialPing } from '../webhooks/message.ts'
import { noteEvent } from '../webhooks/wake-signal.ts'
import { wireRecord } from '../wire-record.ts'

const toWebhook = wireRecord(Webhook)
const toStats = wireRecord(WebhookStats)

export const webhookHandlers = {
  createWebhook: async ({ body }, { db, now }) => {
    const webhook = {
      id: newRowId(),
      name: body.name ?? new URL(body.url).hostname,
      url: body.url,
      status: 'created' as const,
      events: [...new Set(body.events)],
    }
    await db.insert(webhooks).values({ ...webhook, createdAt: now })
    await db.insert(webhookMessages).values(initialPing(webhook.id, now))
    noteEvent(db)
    return webhook
  },

  listWebhooks: async (_request, { db }) => {
    const rows = await db
      .select()
      .from(webhooks)
      .where(ne(webhooks.status, 'removed'))
      .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
    return { webhooks: rows.map((row) => toWebhook(row)) }
  },

  /** A webhook that is removed already is unknown. Its queue goes with it; what is being delivered is not waited for. */
  removeWebhook: async ({ body }, { db }) => {
    const [row] = await db
      .update(webhooks)
      .set({ status: 'removed', dueAt: null, leaseId: null, leasedUntil: null })
      .where(and(eq(webhooks.id, body.webhookId), ne(webhooks.status, 'removed')))
      .returning()
    if (!row) throw new ApiError('WEBHOOK_NOT_FOUND', 'there is no such webhook')
    await db.delete(webhookMessages).where(eq(webhookMessages.webhookId, row.id))
    return toWebhook(row)
  },

  listWebhookStats: async ({ query }, { db }) => {
    const { webhookId } = query
    const queued = db
      .select({ webhookId: webhookMessages.webhookId, messages: count().as('messages') })
      .from(webhookMessages)
      .groupBy(webhookMessages.webhookId)
      .as('queued')
    const rows = await db
      .select({ webhook: webhooks, queuedMessages: queued.messages })
      .from(webhooks)
      .leftJoin(queued, eq(queued.webhookId, webhooks.id))
      .where(webhookId === undefined ? undefined : eq(webhooks.id, webhookId))
      .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
    if (webhookId !== undefined && rows.length === 0) {
      throw new ApiError('WEBHOOK_NOT_FOUND', 'there is no such webhook')
    }
    return rows.map(({ webhook, queuedMessages }) =>
      toStats(webhook, {
        status: statsStatusByStatus[webhook.status],
        queuedMessages: webhook.status === 'removed' ? 0 : (queuedMessages ?? 0),
      }),
    )
  },
} satisfies Partial<Handlers>

/** Whether deliveries may go to the URL, checked without resolving its host name; and whether an event is misspelt. */
export const webhookRule: Rule<'createWebhook'> = ({ body: { url, events = [] } }, { settings }) => {
  const message = url === undefined ? null : webhookUrlError(url, settings)
  return [...(message === null ? [] : [{ path: 'url', message }]), ...events.flatMap(misspeltEvent)]
}

/** Decision: any name is accepted but one that is a letter or two beside a known one, which would never be delivered. */
function misspeltEvent(name: string, index: number): FieldIssue[] {
  if (name === '*' || isEventName(name)) return []
  const meant = closestName(name, eventNames, name.length < 8 ? 0 : 2)
  return meant === null
    ? []
    : [{ path: `events.${index}`, message: `${name} is no event of this service. Did you mean ${meant}?` }]
}
