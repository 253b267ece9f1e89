import 'server-only'
import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { appendAudit } from '#lib/audit/chain.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { publish } from '#lib/live/publish.ts'
import { staffAction } from '#lib/operations/act.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { EnvironmentName, ServiceId } from '#lib/shared/parse.ts'
import { watchedWebhooks } from '#lib/tables/webhooks.ts'
import { targetOf, watched, webhookTarget } from './watched.ts'

const Acknowledgement = z.object({
  environment: EnvironmentName,
  webhookId: ServiceId,
})
type AcknowledgeWebhookResult = { kind: 'acknowledged' } | NotStarted

const act = 'webhook.acknowledge'

/** Removes the alert of a deleted webhook from every page, and audits who acknowledged it, once. */
export function acknowledgeWebhook(input: z.input<typeof Acknowledgement>): Promise<AcknowledgeWebhookResult> {
  const attempt = { kind: act, permission: 'webhooks.manage', about: webhookTarget } as const
  return staffAction(attempt, Acknowledgement, input, async (given, by) => {
    const { environment, webhookId } = given
    const webhook = await watched(environment, webhookId)
    if (webhook?.statsStatus !== 'deleted') {
      return { kind: 'invalid', fields: { webhookId: 'is not a deleted webhook' } }
    }
    const isFirst = await inTransaction(database(), async (tx) => {
      const changed = await tx
        .update(watchedWebhooks)
        .set({ acknowledgedAt: new Date() })
        .where(
          and(
            eq(watchedWebhooks.environment, environment),
            eq(watchedWebhooks.id, webhook.id),
            isNull(watchedWebhooks.acknowledgedAt),
          ),
        )
        .returning({ id: watchedWebhooks.id })
      if (changed.length === 0) return false
      const target = targetOf(webhook.id, webhook)
      await appendAudit(tx, { by, environment, act, target, outcome: 'done' })
      return true
    })
    if (isFirst) publish(environment, [{ type: 'webhooks' }])
    return { kind: 'acknowledged' }
  })
}
