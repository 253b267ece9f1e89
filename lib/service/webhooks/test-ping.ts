import { randomUUID } from 'node:crypto'
import { and, eq, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { inTransaction } from '#lib/db/transaction.ts'
import { ApiError } from '../api-error.ts'
import { sandboxNow } from '../clock.ts'
import type { Service } from '../service.ts'
import { webhooks } from '../tables/webhooks.ts'
import { pingBody } from './message.ts'
import { transportOf, type DeliveryProblem } from './transport.ts'
import { noteEvent } from './wake-signal.ts'

/** The result of a test; `status` is null where the endpoint did not respond. */
export type TestPing = {
  webhookId: string
  delivered: boolean
  status: number | null
  durationMs: number
  problem: DeliveryProblem | null
}

/**
 * Sends a ping beside the queue, as every delivery is sent. One that is taken counts as a ping's success: a webhook that
 * was suspended or unhealthy is healthy, and its queue flows on. A failed one returns its result and changes nothing: the
 * schedule of retries and pings stays as it was. Throws `WEBHOOK_NOT_FOUND`.
 */
export async function sendTestPing(service: Service, webhookId: string): Promise<TestPing> {
  const { db } = service
  const isThere = and(eq(webhooks.id, webhookId), ne(webhooks.status, 'removed'))
  const [webhook] = await db.select({ url: webhooks.url }).from(webhooks).where(isThere)
  if (!webhook) throw new ApiError('WEBHOOK_NOT_FOUND', 'there is no such webhook')

  const id = randomUUID()
  const body = pingBody(id, await sandboxNow(db))
  const began = performance.now()
  const { signal } = new AbortController()
  const { taken, status, problem } = await transportOf(service)({ url: webhook.url, id, body, signal })
  const durationMs = Math.round(performance.now() - began)
  if (taken) await recover(service, webhookId)
  return { webhookId, delivered: taken, status, durationMs, problem }
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
