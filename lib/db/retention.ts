import { sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from './connection.ts'

/** A rule of retention: which rows of a table are deleted, and after which time. */
export type RetentionRule = {
  table: PgTable
  /** For people: which rows, and after which time they are deleted. docs/deploy.md has both. */
  what: string
  after: string
  /** The condition of the rows that may go. An index serves it, or the table stays small. */
  expired: (now: Date) => SQL
}

const rowsAtOnce = 5000
const mostBatches = 20

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
  for (const { table, expired } of rules) {
    for (let batch = 0; batch < mostBatches; batch += 1) {
      const { rowCount } = await db.execute(sql`
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${expired(now)} limit ${atOnce} for update skip locked))`)
      total += rowCount ?? 0
      if ((rowCount ?? 0) < atOnce) break
    }
  }
  return total
}
