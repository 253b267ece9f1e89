import { and, count, desc, eq, ne } from 'drizzle-orm'
import { statsStatusByStatus, Webhook, WebhookStats } from '#lib/contract/webhooks.ts'
import { ApiError } from '../api-error.ts'
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

/** Whether deliveries may go to the URL, checked without resolving its host name. Names of events are an open set. */
export const webhookRule: Rule<'createWebhook'> = ({ body: { url } }, { settings }) => {
  const message = url === undefined ? null : webhookUrlError(url, settings)
  return message === null ? [] : [{ path: 'url', message }]
}
