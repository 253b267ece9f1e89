import 'server-only'
import { sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { publish } from '#lib/live/publish.ts'
import { backgroundWriter, takeAll } from '#lib/shared/background-writer.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure, logRefused } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { inboxCounts } from '#lib/tables/inbox.ts'

export type InboxCountKind = (typeof inboxCounts.$inferSelect)['kind']

type Counted = { environment: Environment; kind: InboxCountKind; count: number }
const waiting = globalSingleton('carddeskInboxCounts', () => {
  const counts = new Map<string, Counted>()
  const onFailure = (error: unknown) => logFailure(error, { while: 'counting deliveries' })
  return { counts, ...backgroundWriter(writeEveryMs, () => takeAll(counts), write, onFailure) }
})

/** Any sender may send wrong signatures: they are counted in memory, and written and logged together, once in a while. */
const writeEveryMs = secondMs / 2

export function countInbox(environment: Environment, kind: InboxCountKind): void {
  const { counts, start } = waiting()
  const key = `${environment} ${kind}`
  const counted = counts.get(key) ?? { environment, kind, count: 0 }
  counted.count += 1
  counts.set(key, counted)
  start()
}

/** Has everything counted by this process written at once, and waits for it. */
export const inboxCountsWritten = (): Promise<void> => waiting().written()

async function write(counted: Counted[]): Promise<void> {
  const lastAt = new Date()
  const day = lastAt.toISOString().slice(0, 10)
  await database()
    .insert(inboxCounts)
    .values(counted.map((each) => ({ ...each, day, lastAt })))
    .onConflictDoUpdate({
      target: [inboxCounts.environment, inboxCounts.day, inboxCounts.kind],
      set: { count: sql`${inboxCounts.count} + excluded.count`, lastAt: sql`excluded.last_at` },
    })
  for (const { environment, kind, count } of counted) {
    if (kind === 'signature') logRefused('deliveries without a right signature', { environment, count })
    publish(environment, [{ type: 'inbox' }])
  }
}
