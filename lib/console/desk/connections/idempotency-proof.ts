import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { honouredKeys } from '../tables/operations.ts'

/** Where a request has its key. Those with one in the body have it in the header as well. */
export type KeyPlace = 'body' | 'header'

/**
 * Whether the service of an environment has shown within a day that it honours idempotency keys of this place: it sent a
 * stored response, or the same quote for the same key. A quote has its key in the body, so it shows nothing of the header.
 */
export async function honoursKeys(environment: Environment, place: KeyPlace): Promise<boolean> {
  const provenAt = place === 'body' ? honouredKeys.provenAt : honouredKeys.headerProvenAt
  const [proof] = await database()
    .select({ isRecent: sql<boolean | null>`${provenAt} > clock_timestamp() - interval '1 day'` })
    .from(honouredKeys)
    .where(eq(honouredKeys.environment, environment))
  return proof?.isRecent ?? false
}

export async function recordHonouredKey(environment: Environment, place: KeyPlace): Promise<void> {
  const now = sql`clock_timestamp()`
  const proof = { provenAt: now, ...(place === 'header' && { headerProvenAt: now }) }
  await database()
    .insert(honouredKeys)
    .values({ environment, ...proof })
    .onConflictDoUpdate({ target: honouredKeys.environment, set: proof })
}
