import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { Target } from '#lib/audit/types.ts'
import { database } from '#lib/db/connection.ts'
import type { IdField } from '#lib/gate/action.ts'
import { hasId } from '#lib/index/conditions.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { sameUrl } from '#lib/shared/texts.ts'
import { watchedWebhooks } from '#lib/tables/webhooks.ts'

/** A webhook as the console last saw it; undefined where it never did. */
export async function findWatched(environment: Environment, webhookId: string) {
  const [row] = await database()
    .select()
    .from(watchedWebhooks)
    .where(and(eq(watchedWebhooks.environment, environment), hasId(watchedWebhooks.id, [webhookId])))
  return row
}

type Endpoint = Pick<typeof watchedWebhooks.$inferSelect, 'url' | 'events'>

/** Whether another webhook, which is not deleted, delivers every event of this one to the same address. */
export function isReplaced(
  { url, events }: Endpoint,
  all: readonly (Endpoint & { statsStatus: string | null })[],
): boolean {
  return all.some(
    (other) =>
      other.statsStatus !== 'deleted' &&
      sameUrl(other.url, url) &&
      events?.every((event) => other.events?.includes(event) || other.events?.includes('*')) === true,
  )
}

/** The target of an action whose input names a webhook; null where it does not. */
export function webhookTarget(idIn: IdField): Target | null {
  const webhookId = idIn('webhookId')
  return webhookId ? toWebhookTarget(webhookId, null) : null
}

/** A webhook as the target of something that staff do. */
export function toWebhookTarget(
  webhookId: string,
  webhook: { name: string | null; url: string | null } | null | undefined,
): Target {
  return { type: 'webhook', id: webhookId, parentId: null, label: webhook?.name ?? webhook?.url ?? null }
}
