import 'server-only'
import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { appendAudit } from '#lib/audit/chain.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { action } from '#lib/gate/action.ts'
import { publish } from '#lib/live/publish.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { EnvironmentName, ServiceId } from '#lib/shared/parse.ts'
import { watchedWebhooks } from '#lib/tables/webhooks.ts'
import { toWebhookTarget, findWatched, webhookTarget } from './watched.ts'

const Acknowledgement = z.object({
  environment: EnvironmentName,
  webhookId: ServiceId,
})
type AcknowledgeWebhookResult = { kind: 'acknowledged' } | NotStarted

/** Removes the alert of a deleted webhook from the banner, and audits who acknowledged it, once. */
export const acknowledgeWebhook = action('acknowledgeWebhook', {
  input: Acknowledgement,
  target: webhookTarget,
  run: async ({ environment, webhookId }, { staff: by }): Promise<AcknowledgeWebhookResult> => {
    const webhook = await findWatched(environment, webhookId)
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
      const target = toWebhookTarget(webhook.id, webhook)
      await appendAudit(tx, { by, environment, act: 'webhook.acknowledge', target, outcome: 'done' })
      return true
    })
    if (isFirst) publish(environment, [{ type: 'webhooks' }])
    return { kind: 'acknowledged' }
  },
})
