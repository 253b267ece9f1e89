import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { honouredKeys } from '../tables/operations.ts'

/**
 * Whether the service of an environment has shown within a day that it honours idempotency keys: it sent a stored response,
 * or the same quote for the same key.
 */
export async function honoursKeys(environment: Environment): Promise<boolean> {
  const [proof] = await database()
    .select({ isRecent: sql<boolean>`${honouredKeys.provenAt} > clock_timestamp() - interval '1 day'` })
    .from(honouredKeys)
    .where(eq(honouredKeys.environment, environment))
  return proof?.isRecent ?? false
}

export async function recordHonouredKey(environment: Environment): Promise<void> {
  const provenAt = sql`clock_timestamp()`
  await database()
    .insert(honouredKeys)
    .values({ environment, provenAt })
    .onConflictDoUpdate({ target: honouredKeys.environment, set: { provenAt } })
}
