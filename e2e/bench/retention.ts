import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { connect, type Database } from '#lib/db/connection.ts'
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { migrateDatabase } from '#lib/db/migrate.ts'
import { deleteExpired, keepPartitions } from '#lib/db/retention.ts'
import { retentionRules } from '#lib/jobs/retention.ts'
import { dayMs } from '#lib/shared/time.ts'
import { inboxEvents, inboxIds } from '#lib/tables/inbox.ts'
import type { Desk } from './desk.ts'
import { time, type Figure } from './figure.ts'

const extents = {
  whole: { expired: 1_000_000, atOnce: 500, aloneMs: 5000 },
  short: { expired: 2000, atOnce: 1, aloneMs: 50 },
}
/** How far the expired events reach back. */
const reachSeconds = 1_000_000
const eventRules = retentionRules.filter(({ table }) => table === inboxEvents)
const idRules = retentionRules.filter(({ table }) => table === inboxIds)

/**
 * Lets go of 1,000,000 expired events of the inbox, the table with the most indexes, while others arrive: 100,000 in batches, as rows
 * of the default partition are deleted, and the rest by dropping their partitions. Then of their ids.
 */
export async function measureRetention({ extent }: Desk): Promise<Figure[]> {
  const { expired, atOnce, aloneMs } = extents[extent]
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-bench-'))
  const postgres = await startEmbeddedPostgres(folder)
  const db = connect(postgres.databaseUrl, { max: 4, name: 'carddesk bench' })
  try {
    await migrateDatabase(postgres.databaseUrl)
    await fill(db, expired)
    const alone = await insertTimes(db, async () => delay(aloneMs))
    let deleted = 0
    const batches = await timeOf(db, async () => (deleted = await deleteExpired(db, eventRules, new Date(), atOnce)))
    const drops = await timeOf(db, async () => keepPartitions(db, eventRules))
    const left = await db.$count(inboxEvents, sql`received_at < now() - interval '46 days'`)
    if (deleted !== expired / 10 || left > 0) throw new Error(`${deleted} events were deleted, and ${left} are left`)
    deleted = 0
    const ids = await timeOf(db, async () => {
      for (let count = 1; count > 0; deleted += count) count = await deleteExpired(db, idRules)
    })
    if (deleted !== expired) throw new Error(`${deleted} of ${expired} ids were deleted`)
    const arrival = (ms: number, mostMs: number) => ({
      ...time('an event that arrives meanwhile, p99', ms, mostMs),
      reference: `${Math.round(alone)} ms while nothing is deleted`,
    })
    return [
      time('deleting 100,000 expired events in batches', batches.ms, 12_000),
      arrival(batches.arrival, 50),
      time('dropping the partitions of 900,000', drops.ms, 5000),
      arrival(drops.arrival, 1000),
      time('deleting 1,000,000 ids in batches', ids.ms, 60_000),
      arrival(ids.arrival, 50),
    ]
  } finally {
    await db.$client.end()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(db: Database, expired: number): Promise<void> {
  for (let weeksAgo = 10; weeksAgo > 5; weeksAgo -= 1) {
    const rules = eventRules.map((rule) => ({
      ...rule,
      partitions: rule.partitions && { ...rule.partitions, days: 300 },
    }))
    await keepPartitions(db, rules, new Date(Date.now() - weeksAgo * 7 * dayMs))
  }
  await db.execute(sql`
    insert into console.inbox_events
      (environment, id, event, body, is_known, card_account_id, card_id, time, received_at, applied_at, next_attempt_at)
    select 'sandbox', gen_random_uuid(), 'card.updated', repeat('x', 400), true, gen_random_uuid(), gen_random_uuid(),
      at, at, at, at
    from (select now() - interval '46 days' - number * make_interval(secs => ${reachSeconds / expired}) as at from generate_series(1, ${expired}::int) as number) as arrivals`)
  await db.execute(sql`
    insert into console.inbox_ids select environment, id, received_at from console.inbox_events`)
  await db.execute(sql`vacuum analyze console.inbox_events, console.inbox_ids`)
}

/** How long `work` takes, and the 99th percentile of the times that events take meanwhile to be stored, in milliseconds. */
async function timeOf(db: Database, work: () => Promise<unknown>): Promise<{ ms: number; arrival: number }> {
  const began = performance.now()
  let ms = 0
  const arrival = await insertTimes(db, async () => {
    await work()
    ms = performance.now() - began
  })
  return { ms, arrival }
}

/** Stores an event every 10 ms while `work` runs. Returns the 99th percentile of the times in milliseconds. */
async function insertTimes(db: Database, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  const stopping = new AbortController()
  const inserting = (async () => {
    while (!stopping.signal.aborted) {
      const now = new Date()
      const startMs = performance.now()
      const id = randomUUID()
      await db.insert(inboxIds).values({ environment: 'sandbox', id, receivedAt: now })
      await db.insert(inboxEvents).values({
        environment: 'sandbox',
        id,
        event: 'ping',
        body: '{}',
        isKnown: true,
        receivedAt: now,
        nextAttemptAt: now,
      })
      times.push(performance.now() - startMs)
      await delay(10)
    }
  })()
  await work()
  stopping.abort()
  await inserting
  times.sort((one, other) => one - other)
  return times[Math.floor(times.length * 0.99)] ?? 0
}
