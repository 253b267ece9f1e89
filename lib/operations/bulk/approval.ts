import 'server-only'
import { eq } from 'drizzle-orm'
import { AppError } from '#lib/shared/app-error.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { bulkJobs } from '#lib/tables/bulk.ts'
import { sealTerms } from '../approvals/grant.ts'
import type { Subject } from '../approvals/request.ts'
import { type JobTerms, readApprovedRows, rowsSha256, openJobTerms } from './approved-rows.ts'
import { cancelWaiting, lockJob } from './rows.ts'
import { notPaused } from './run-row.ts'
import { wakeBulkJobs } from './run.ts'

/** A whole bulk job as the subject of an approval: its rows, in their order. */
export const bulkJobSubject: Subject = {
  async release(tx, row, fingerprint, by) {
    const job = await lockJob(tx, row.id)
    const sealed = openJobTerms(row)
    const now = rowsSha256(row.environment, await readApprovedRows(tx, row.id))
    if (!job || job.state !== 'paused' || now !== fingerprint || now !== sealed?.rowsSha256) {
      throw new AppError('APPROVAL_MISMATCH', 'The stored rows are not those that you saw. Nothing was approved.')
    }
    const terms: JobTerms = { rowsSha256: now, by: by.id, at: new Date().toISOString() }
    const { sealed: sealedTerms } = sealTerms(row.id, terms)
    await tx.update(approvals).set({ sealedTerms }).where(eq(approvals.id, row.id))
    await tx
      .update(bulkJobs)
      .set({ ...notPaused, state: 'running', nextAt: new Date() })
      .where(eq(bulkJobs.id, row.id))
  },
  async close(tx, row, _state, message) {
    const job = await lockJob(tx, row.id)
    if (!job || job.finishedAt) return
    const now = await cancelWaiting(tx, row.id)
    await tx
      .update(bulkJobs)
      .set({ ...notPaused, state: 'cancelled', pausedBecause: message, finishedAt: now })
      .where(eq(bulkJobs.id, row.id))
  },
  async resume() {
    wakeBulkJobs()
  },
}
