import { randomUUID } from 'node:crypto'
import { and, eq, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { inTransaction } from '#lib/db/transaction.ts'
import { sandboxNow } from '../clock.ts'
import type { Service } from '../service.ts'
import { webhooks } from '../tables/webhooks.ts'
import { pingBody } from './message.ts'
import { requireWebhook, sendBeside, type SentBeside } from './replay.ts'
import { noteEvent } from './wake-signal.ts'

/**
 * Sends a ping beside the queue, as every delivery is sent. One that is taken counts as a ping's success: a webhook that
 * was suspended or unhealthy is healthy, and its queue flows on. A failed one returns its result and changes nothing: the
 * schedule of retries and pings stays as it was. Throws `WEBHOOK_NOT_FOUND`.
 */
export async function sendTestPing(service: Service, webhookId: string): Promise<SentBeside> {
  const { url } = await requireWebhook(service, webhookId)
  const id = randomUUID()
  const body = pingBody(id, await sandboxNow(service.db))
  const sent = await sendBeside(service, { webhookId, url }, { id, event: 'ping', body, kind: 'test' })
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
