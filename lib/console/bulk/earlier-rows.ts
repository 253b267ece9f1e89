import 'server-only'
import { asc, type SQL } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { canBeUndone, isLeft } from '#lib/operations/bulk/follow-ups.ts'
import type { BulkItemEntry } from '#lib/operations/bulk/start.ts'
import { type BulkKind, undoingKind } from '#lib/operations/bulk/types.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { bulkItems } from '#lib/tables/bulk.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { findJob } from './read.ts'

export type EarlierRow = Pick<BulkItemEntry, 'target' | 'body' | 'facts'>
type EarlierRows = { title: string; rows: EarlierRow[] }

/**
 * The rows that a job refused or never began and no later one did, in their order; null for a job of another kind. Throws `BULK_JOB_NOT_FOUND`.
 */
export async function readRowsToRetry(
  environment: Environment,
  jobId: string,
  kind: BulkKind,
): Promise<EarlierRows | null> {
  const job = await findJob(environment, jobId)
  return job.kind === kind ? { title: job.title, rows: await readRows(isLeft(job)) } : null
}

/** The rows of a job that one of this kind takes back, in their order; null where it takes back none of that job. Throws `BULK_JOB_NOT_FOUND`. */
export async function readRowsToUndo(
  environment: Environment,
  jobId: string,
  kind: BulkKind,
): Promise<EarlierRows | null> {
  const job = await findJob(environment, jobId)
  const condition = undoingKind(job.kind) === kind && canBeUndone(job)
  return condition ? { title: job.title, rows: await readRows(condition) } : null
}

async function readRows(condition: SQL | undefined): Promise<EarlierRow[]> {
  const rows = await database().select().from(bulkItems).where(condition).orderBy(asc(bulkItems.position))
  return rows.map((row) => ({ target: toTarget(row), body: row.body, facts: row.facts }))
}
