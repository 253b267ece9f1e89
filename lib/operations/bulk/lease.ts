import 'server-only'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db/connection.ts'
import { keepLease, leaseEnd } from '#lib/db/lease.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'

export type JobRow = typeof bulkJobs.$inferSelect

const hasItems = (states: readonly string[]) =>
  sql`exists (select from ${bulkItems} where ${bulkItems.jobId} = ${bulkJobs.id} and ${bulkItems.settledAt} is null and ${bulkItems.state} in ${states})`

/**
 * Takes the lease of the job that has waited longest, has work left and is driven by no process. A paused or cancelled
 * job has work left only while the outcome of a started row is open.
 */
export async function claimJob(db: Database, leaseHolder: string): Promise<JobRow | null> {
  const due = db
    .select({ id: bulkJobs.id })
    .from(bulkJobs)
    .where(
      and(
        isNull(bulkJobs.finishedAt),
        sql`${bulkJobs.leaseUntil} <= clock_timestamp()`,
        sql`${bulkJobs.nextAt} <= clock_timestamp()`,
        sql`(${bulkJobs.state} <> 'paused' or ${hasItems(['running', 'unknown'])} or not ${hasItems(['waiting'])})`,
      ),
    )
    .orderBy(bulkJobs.nextAt, bulkJobs.createdAt)
    .limit(1)
    .for('update', { skipLocked: true })
  const [job] = await db
    .update(bulkJobs)
    .set({ leaseHolder, leaseUntil: leaseEnd })
    .where(eq(bulkJobs.id, sql`(${due})`))
    .returning()
  return job ?? null
}

/** Renews the lease while the job is driven; the returned function stops it. */
export function renewJobLease(db: Database, jobId: string, leaseHolder: string): () => void {
  const isHeld = and(eq(bulkJobs.id, jobId), eq(bulkJobs.leaseHolder, leaseHolder))
  return keepLease(() => db.update(bulkJobs).set({ leaseUntil: leaseEnd }).where(isHeld))
}

/** Releases the lease: another process may take the job. */
export async function releaseJob(db: Database, jobId: string, leaseHolder: string): Promise<void> {
  await db
    .update(bulkJobs)
    .set({ leaseHolder: null, leaseUntil: sql`clock_timestamp()` })
    .where(and(eq(bulkJobs.id, jobId), eq(bulkJobs.leaseHolder, leaseHolder)))
}
