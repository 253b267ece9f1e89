import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { asc, gt, max, min, lt } from 'drizzle-orm'
import { Client } from 'pg'
import { database } from '#lib/db/connection.ts'
import { inSeconds } from '#lib/db/queue.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { withSanitizedErrors } from '#lib/shared/sanitized-errors.ts'
import { secondMs } from '#lib/shared/time.ts'
import { changes } from '#lib/tables/changes.ts'
import { changesChannel } from './publish.ts'
import type { LiveMessage } from './types.ts'

/** Upper bound, in seconds, of the time between two reads of one page. */
const marginSeconds = 3

/**
 * Returns the position at which the stream of a page that is being rendered begins: the id of the newest change that
 * all reads of the page include, 0 where there is none. Later changes arrive by the stream.
 */
export function latestSafePosition(): Promise<number> {
  return withSanitizedErrors(async () => {
    const [row] = await database()
      .select({ id: max(changes.id) })
      .from(changes)
      // By the clock that stamped them, which that of this process may be ahead of.
      .where(lt(changes.at, inSeconds(-marginSeconds)))
    return row?.id ?? 0
  })
}

export type FeedRow = LiveMessage & { environment: Environment }
type Reader = (row: FeedRow) => void

export type Feed = {
  /** Rows that come after `position`. Returns how to stop. */
  subscribe: (reader: Reader) => () => void
  /** The newest row that was handed to the readers. */
  position: () => number
  /** Resolves once it listens; a reader that begins then misses nothing. */
  ready: () => Promise<void>
  close: () => Promise<void>
}

/** The interval of polls beside notifications, so that a connection that died unnoticed delays no row for longer. */
const pollAgainMs = 10 * secondMs
const batchSize = 500

/** Follows the table of changes over one connection of its own, which it opens again when it is lost. */
export function openFeed(databaseUrl: string): Feed {
  const readers = new Set<Reader>()
  const stopping = new AbortController()
  const { signal } = stopping
  let client: Client | null = null
  let position: number | null = null
  let reading: Promise<void> | null = null
  let hasNews = false
  const first = Promise.withResolvers<void>()

  /** One reading at a time; a notification during it makes another one follow. */
  function catchUp(): Promise<void> {
    hasNews = true
    return (reading ??= readNews().finally(() => (reading = null)))
  }

  async function readNews(): Promise<void> {
    while (hasNews && !signal.aborted) {
      hasNews = false
      position ??= await findNewestChange()
      const rows = await listRowsAfter(position, batchSize)
      if (rows.length === batchSize) hasNews = true
      for (const row of rows) {
        position = row.id
        for (const reader of readers) reader(row)
      }
    }
  }

  async function listen(): Promise<void> {
    const lost = Promise.withResolvers<void>()
    client = new Client({ connectionString: databaseUrl, application_name: 'carddesk live', keepAlive: true })
    client.on('error', () => lost.resolve())
    client.on('end', () => lost.resolve())
    client.on('notification', () => void catchUp().catch(() => lost.resolve()))
    signal.addEventListener('abort', () => lost.resolve(), { once: true })
    try {
      await client.connect()
      await client.query(`listen ${changesChannel}`)
      await catchUp()
      first.resolve()
      await lost.promise
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async function keepListening(): Promise<void> {
    for (let pauseMs = 100; !signal.aborted; pauseMs = Math.min(pauseMs * 2, 5 * secondMs)) {
      const began = Date.now()
      await listen().catch((error: unknown) => {
        if (!signal.aborted) logFailure(error, { while: 'listening for changes' })
      })
      if (Date.now() - began > 10 * secondMs) pauseMs = 100
      if (!signal.aborted) await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  const timer = setInterval(() => void catchUp().catch(() => undefined), pollAgainMs)
  timer.unref()
  const done = keepListening()
  return {
    subscribe(reader) {
      readers.add(reader)
      return () => readers.delete(reader)
    },
    position: () => position ?? 0,
    ready: () => first.promise,
    async close() {
      clearInterval(timer)
      stopping.abort()
      await done
      await reading?.catch(() => undefined)
    },
  }
}

export async function listRowsAfter(id: number, limit: number): Promise<FeedRow[]> {
  return database()
    .select({ id: changes.id, environment: changes.environment, about: changes.about })
    .from(changes)
    .where(gt(changes.id, id))
    .orderBy(asc(changes.id))
    .limit(limit)
}

/** The id of the newest row; 0 where none is stored. */
export async function findNewestChange(): Promise<number> {
  const [row] = await database()
    .select({ id: max(changes.id) })
    .from(changes)
  return row?.id ?? 0
}

/** The oldest row that is still stored; null where none is. */
export async function findOldestChange(): Promise<number | null> {
  const [row] = await database()
    .select({ id: min(changes.id) })
    .from(changes)
  return row?.id ?? null
}
