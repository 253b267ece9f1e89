import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { publish } from '../desk/live/publish.ts'
import { logFailure, logRefused } from '../desk/log.ts'
import { inboxCounts } from '../desk/tables/inbox.ts'

export type InboxCountKind = (typeof inboxCounts.$inferSelect)['kind']

type Counted = { environment: Environment; kind: InboxCountKind; count: number }
type Waiting = { counts: Map<string, Counted>; writing: Promise<void> | null; hurry: AbortController }
const waiting = processWide<Waiting>('carddeskInboxCounts', () => ({
  counts: new Map(),
  writing: null,
  hurry: new AbortController(),
}))

/** Any sender may send wrong signatures: they are counted in memory, and written and logged together, once in a while. */
const writeEveryMs = secondMs / 2

export function countInbox(environment: Environment, kind: InboxCountKind): void {
  const { counts } = waiting()
  const key = `${environment} ${kind}`
  const counted = counts.get(key) ?? { environment, kind, count: 0 }
  counted.count += 1
  counts.set(key, counted)
  waiting().writing ??= writeLater().finally(() => {
    waiting().writing = null
    waiting().hurry = new AbortController()
  })
}

/** Has everything counted by this process written at once, and waits for it. */
export async function inboxCountsWritten(): Promise<void> {
  const { writing, hurry } = waiting()
  if (writing) hurry.abort()
  await writing
}

async function writeLater(): Promise<void> {
  const { counts } = waiting()
  while (counts.size > 0) {
    await delay(writeEveryMs, undefined, { signal: waiting().hurry.signal }).catch(() => undefined)
    const now = new Date()
    const rows = [...counts.values()].map((counted) => ({
      ...counted,
      day: now.toISOString().slice(0, 10),
      lastAt: now,
    }))
    counts.clear()
    try {
      await database()
        .insert(inboxCounts)
        .values(rows)
        .onConflictDoUpdate({
          target: [inboxCounts.environment, inboxCounts.day, inboxCounts.kind],
          set: { count: sql`${inboxCounts.count} + excluded.count`, lastAt: sql`excluded.last_at` },
        })
      for (const { environment, kind, count } of rows) {
        if (kind === 'signature') logRefused('deliveries without a right signature', { environment, count })
      }
      for (const { environment } of rows) publish(environment, [{ type: 'inbox' }])
    } catch (error) {
      logFailure(error, { while: 'counting deliveries' })
    }
  }
}
