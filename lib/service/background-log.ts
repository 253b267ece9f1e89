import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/prepared.ts'
import { secondMs } from '#lib/shared/time.ts'
import { logFailure } from './log.ts'

const writeEveryMs = secondMs

type Waiting<Entry> = { entries: Entry[]; next: number; writing: Promise<void> | null; hurry: AbortController }

/** A log whose entries are written within a second, in the background: what is logged never waits for it or fails with it. */
export type BackgroundLog<Entry> = {
  add: (db: Database, entry: Entry) => void
  /** Writes what this process holds, without the pause, and waits for it. */
  written: (db: Database) => Promise<void>
}

type LogTable = PgTable & { id: PgColumn }

/** Rows of one statement. */
const mostAtOnce = 500

/**
 * Between two writes the newest `mostWaiting` entries are held: under more load than that, older ones are not logged. The table keeps
 * about `mostRows` of its rows.
 */
export function backgroundLog<Entry, Table extends LogTable>(
  name: string,
  { mostWaiting, mostRows, table }: { mostWaiting: number; mostRows: number; table: Table },
  rowOf: (entry: Entry) => Table['$inferInsert'],
): BackgroundLog<Entry> {
  const waitingOf = perDatabase((_db: Database): Waiting<Entry> => ({
    entries: [],
    next: 0,
    writing: null,
    hurry: new AbortController(),
  }))

  async function write(db: Database, entries: readonly Entry[]): Promise<void> {
    for (let at = 0; at < entries.length; at += mostAtOnce) {
      await db.insert(table).values(entries.slice(at, at + mostAtOnce).map(rowOf))
    }
    await db.delete(table).where(sql`${table.id} <= (select max(id) from ${table}) - ${mostRows}`)
  }

  async function writeLater(db: Database, held: Waiting<Entry>): Promise<void> {
    while (held.next > 0) {
      await delay(writeEveryMs, undefined, { signal: held.hurry.signal, ref: false }).catch(() => undefined)
      const start = held.next > mostWaiting ? held.next % mostWaiting : 0
      const entries = [...held.entries.slice(start), ...held.entries.slice(0, start)]
      held.entries = []
      held.next = 0
      if (db.$client.ending) return
      await write(db, entries).catch((error: unknown) => logFailure(error, { work: name }))
    }
  }

  return {
    add(db, entry) {
      const held = waitingOf(db)
      held.entries[held.next % mostWaiting] = entry
      held.next += 1
      held.writing ??= writeLater(db, held).finally(() => {
        held.writing = null
        held.hurry = new AbortController()
      })
    },
    async written(db) {
      const held = waitingOf(db)
      held.hurry.abort()
      await held.writing
    },
  }
}

/** A page of a log of the rows that were found, one more than `limit` where there are more. `nextCursor` is its last row's id. */
export function cutLogPage<Row extends { id: number }>(found: readonly Row[], limit: number) {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, nextCursor: last ? String(last.id) : null }
}
