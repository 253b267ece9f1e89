import 'server-only'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db/connection.ts'
import { claimDue, isFree, leaseEnd, makeLease } from '#lib/db/queue.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'

export type JobRow = typeof bulkJobs.$inferSelect

const hasItems = (states: readonly string[]) =>
  sql`exists (select from ${bulkItems} where ${bulkItems.jobId} = ${bulkJobs.id} and ${bulkItems.settledAt} is null and ${bulkItems.state} in ${states})`

/**
 * Takes the lease of the job that has waited longest, has work left and is driven by no process. A paused or cancelled
 * job has work left only while the outcome of a started row is open.
 */
export async function claimJob(db: Database, leaseHolder: string): Promise<JobRow | null> {
  const [job] = await claimDue(db, bulkJobs, {
    key: [bulkJobs.id],
    due: and(
      isNull(bulkJobs.finishedAt),
      isFree(bulkJobs),
      sql`${bulkJobs.nextAt} <= clock_timestamp()`,
      sql`(${bulkJobs.state} <> 'paused' or ${hasItems(['running', 'unknown'])} or not ${hasItems(['waiting'])})`,
    ),
    order: sql`${bulkJobs.nextAt}, ${bulkJobs.createdAt}`,
    limit: 1,
    set: { leaseHolder, leaseUntil: leaseEnd },
  })
  return job ?? null
}

export function leaseOfJob(db: Database, jobId: string, leaseHolder: string) {
  return makeLease(db, bulkJobs, eq(bulkJobs.id, jobId), leaseHolder)
}
