import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { retentionRules } from '#lib/console/desk/retention.ts'
import { inboxEvents } from '#lib/console/desk/tables/inbox.ts'
import { connect } from '#lib/db/connection.ts'
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { migrateDatabase } from '#lib/db/migrate.ts'
import { deleteExpired } from '#lib/db/retention.ts'
import { time, type Figure } from './figure.ts'

const expired = 1_000_000
const rules = retentionRules.filter(({ table }) => table === inboxEvents)

/** Deletes 1,000,000 expired events of the inbox, the table with the most indexes, while others arrive. */
export async function measureRetention(): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-bench-'))
  const postgres = await startEmbeddedPostgres(folder)
  const db = connect(postgres.databaseUrl, { max: 4, name: 'carddesk bench' })
  try {
    await migrateDatabase(postgres.databaseUrl)
    await db.execute(sql`
      insert into console.inbox_events
        (environment, id, event, body, is_known, card_account_id, card_id, time, received_at, applied_at, next_attempt_at)
      select 'sandbox', gen_random_uuid(), 'card.updated', repeat('x', 400), true, gen_random_uuid(), gen_random_uuid(),
        at, at, at, at
      from (select now() - interval '31 days' - number * interval '1 second' as at
        from generate_series(1, ${expired}::int) as number) as arrivals`)
    await db.execute(sql`vacuum analyze console.inbox_events`)
    const alone = await insertTimes(db, async () => await new Promise((resolve) => setTimeout(resolve, 5000)))
    let deleted = 0
    const batches: number[] = []
    const began = performance.now()
    const during = await insertTimes(db, async () => {
      for (;;) {
        const startMs = performance.now()
        const count = await deleteExpired(db, rules)
        if (count === 0) return
        batches.push((performance.now() - startMs) / Math.ceil(count / 5000))
        deleted += count
      }
    })
    if (deleted !== expired) throw new Error(`${deleted} of ${expired} expired events were deleted`)
    return [
      time('deleting 1,000,000 expired events in batches', performance.now() - began, 120_000),
      time('a batch of 5,000, the slowest mean of 20', Math.max(...batches), 1000),
      time('an event that arrives meanwhile, p99', during, Math.max(50, Math.round(alone * 5))),
    ]
  } finally {
    await db.$client.end()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Stores an event every 10 ms while `work` runs. Returns the 99th percentile of the times in milliseconds. */
async function insertTimes(db: ReturnType<typeof connect>, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  const stopping = new AbortController()
  const inserting = (async () => {
    while (!stopping.signal.aborted) {
      const now = new Date()
      const startMs = performance.now()
      await db.insert(inboxEvents).values({
        environment: 'sandbox',
        id: randomUUID(),
        event: 'ping',
        body: '{}',
        isKnown: true,
        receivedAt: now,
        nextAttemptAt: now,
      })
      times.push(performance.now() - startMs)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })()
  await work()
  stopping.abort()
  await inserting
  times.sort((one, other) => one - other)
  return times[Math.floor(times.length * 0.99)] ?? 0
}
