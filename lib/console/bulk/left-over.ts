import 'server-only'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { BulkItem, BulkKind } from '#lib/operations/bulk/types.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { bulkItems } from '#lib/tables/bulk.ts'
import { findJob } from './read.ts'

type LeftOver = { title: string; rows: { targetId: string; facts: BulkItem['facts'] }[] }

/**
 * The rows that a job refused or never began, in their order; null for a job of another kind. Throws `BULK_JOB_NOT_FOUND`.
 */
export async function readLeftOver(environment: Environment, jobId: string, kind: BulkKind): Promise<LeftOver | null> {
  const job = await findJob(environment, jobId)
  if (job.kind !== kind) return null
  const rows = await database()
    .select({ targetId: bulkItems.targetId, facts: bulkItems.facts })
    .from(bulkItems)
    .where(and(eq(bulkItems.jobId, job.id), inArray(bulkItems.state, ['refused', 'cancelled'])))
    .orderBy(asc(bulkItems.position))
  return { title: job.title, rows }
}
