import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { insertRows } from '#lib/db/bulk-rows.ts'
import type { Database } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/per-database.ts'
import { boundedWriter } from '#lib/shared/background-writer.ts'
import { secondMs } from '#lib/shared/time.ts'
import { logFailure } from './log.ts'

const writeEveryMs = secondMs

type LogTable = PgTable & { id: PgColumn }

/**
 * A log whose entries are written within a second, in the background: what is logged never waits for it or fails with it.
 * Between two writes the newest `mostWaiting` entries are held: under more load than that, older ones are not logged. The
 * table keeps about `mostRows` of its rows.
 */
export function backgroundLog<Entry, Table extends LogTable>(
  name: string,
  { mostWaiting, mostRows, table }: { mostWaiting: number; mostRows: number; table: Table },
  toRow: (entry: Entry) => Table['$inferInsert'],
) {
  async function write(db: Database, entries: readonly Entry[]): Promise<void> {
    await insertRows(db, table, entries.map(toRow))
    await db.delete(table).where(sql`${table.id} <= (select max(id) from ${table}) - ${mostRows}`)
  }

  const openLog = perDatabase((db: Database) => {
    const writeWaiting = async (waiting: Entry[]) => {
      if (!db.$client.ending) await write(db, waiting)
    }
    const onFailure = (error: unknown) => logFailure(error, { work: name })
    return boundedWriter({ most: mostWaiting, everyMs: writeEveryMs, write: writeWaiting, onFailure })
  })

  return {
    add: (db: Database, entry: Entry): void => openLog(db).add(entry),
    /** Writes what this process holds, without the pause, and waits for it. */
    written: (db: Database) => openLog(db).written(),
  }
}

/** A page of a log of the rows that were found, one more than `limit` where there are more. `nextCursor` is its last row's id. */
export function cutLogPage<Row extends { id: number }>(found: readonly Row[], limit: number) {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, nextCursor: last ? String(last.id) : null }
}
