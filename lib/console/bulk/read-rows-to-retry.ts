import 'server-only'
import { asc } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { isLeft } from '#lib/operations/bulk/rows.ts'
import type { BulkItemEntry } from '#lib/operations/bulk/start.ts'
import type { BulkKind } from '#lib/operations/bulk/types.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { bulkItems } from '#lib/tables/bulk.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { findJob } from './read.ts'

export type RowToRetry = Pick<BulkItemEntry, 'target' | 'body' | 'facts'>
type RowsToRetry = { title: string; rows: RowToRetry[] }

/**
 * The rows that a job refused or never began and no later one did, in their order; null for a job of another kind. Throws `BULK_JOB_NOT_FOUND`.
 */
export async function readRowsToRetry(
  environment: Environment,
  jobId: string,
  kind: BulkKind,
): Promise<RowsToRetry | null> {
  const job = await findJob(environment, jobId)
  if (job.kind !== kind) return null
  const rows = await database().select().from(bulkItems).where(isLeft(job)).orderBy(asc(bulkItems.position))
  return { title: job.title, rows: rows.map((row) => ({ target: toTarget(row), body: row.body, facts: row.facts })) }
}
