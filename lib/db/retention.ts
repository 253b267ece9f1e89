import { setTimeout as delay } from 'node:timers/promises'
import { sql, type SQL } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Database } from './connection.ts'

/** A rule of retention: which rows of a table are deleted, and after which time. */
export type RetentionRule = {
  table: PgTable
  /** For people: which rows, and after which time they are deleted. docs/deploy.md has both. */
  what: string
  after: string
  /** SQL condition: the rows to delete. An index serves it, or the table stays small. */
  expired: (now: Date) => SQL
  /** Large tables: the indexed column by which rows are found, oldest first. A scan would pass the rows that were just deleted again and again. */
  oldestFirst?: PgColumn
  /** Set where the table is partitioned by time. */
  partitions?: Partitions
}

/** Days that a partition spans, and days after which it goes as a whole. A null in the column `pending` holds its partition back. */
export type Partitions = { span: number; days: number; at: (now: Date) => SQL; pending?: PgColumn }

/** The start of the oldest partition that stays, as `launch.keep_partitions` reckons it. */
export function oldestPartition({ span, days, at }: Partitions, now: Date): SQL {
  return sql`date_bin(make_interval(days => ${span}), ${at(now)} - make_interval(days => ${days}), '2001-01-01T00:00:00Z')`
}

/** How old rows of a partitioned table become. */
export const formatAge = ({ span, days }: Partitions) => `${days} to ${days + span} days`

/** A larger batch holds up the commits of others: an event that arrived meanwhile took twice as long with 5,000 rows. */
const rowsAtOnce = 500
const mostBatches = 200

/** Makes the partitions of now and the time after it, and drops those that have expired. */
export async function keepPartitions(db: Database, rules: readonly RetentionRule[], now = new Date()): Promise<void> {
  for (const { table, partitions } of rules) {
    if (!partitions) continue
    const { schema, name } = getTableConfig(table)
    const { span, days, at, pending } = partitions
    await db.execute(sql`select launch.keep_partitions(${`${schema}.${name}`}::regclass, make_interval(days => ${span}),
      make_interval(days => ${days}), ${at(now)}, ${pending?.name ?? null}::name)`)
  }
}

/**
 * Deletes what the rules let go, some rows at a time, so that no statement holds many locks or runs into its time limit. Several
 * processes may do so at once: none waits for the rows of another. Returns how many rows were deleted; what is left after
 * 100,000 rows of a rule goes with the next call.
 */
export async function deleteExpired(
  db: Database,
  rules: readonly RetentionRule[],
  now = new Date(),
  atOnce = rowsAtOnce,
): Promise<number> {
  let total = 0
  for (const { table, expired, oldestFirst } of rules) {
    const order = oldestFirst ? sql`order by ${oldestFirst}` : sql``
    for (let batch = 0; batch < mostBatches; batch += 1) {
      const beganMs = performance.now()
      // Rows of two partitions may have the same ctid.
      const { rowCount } = await db.execute(sql`
        delete from ${table} where (tableoid, ctid) in (
          select tableoid, ctid from ${table} where ${expired(now)} ${order} limit ${atOnce} for update skip locked)`)
      total += rowCount ?? 0
      if ((rowCount ?? 0) < atOnce) break
      // As long as the batch took: deleting never has more than half of the database's time.
      await delay(performance.now() - beganMs)
    }
  }
  return total
}

/** Drops what has expired as a whole, then deletes the rest. */
export async function applyRules(db: Database, rules: readonly RetentionRule[]): Promise<void> {
  try {
    await keepPartitions(db, rules)
  } finally {
    await deleteExpired(db, rules)
  }
}
