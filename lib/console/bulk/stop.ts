import 'server-only'
import { eq } from 'drizzle-orm'
import type { Transaction } from '#lib/db/connection.ts'
import { noCaller } from '../desk/audit/caller.ts'
import { appendAudit } from '../desk/audit/chain.ts'
import { bulkJobs } from '../desk/tables/bulk.ts'
import type { JobRow } from './lease.ts'
import { jobTarget } from './target.ts'

/** The console pauses a job of its own accord, and says why. */
export async function pauseByConsole(tx: Transaction, job: JobRow, because: string, code: string): Promise<void> {
  await tx.update(bulkJobs).set({ state: 'paused', pausedBecause: because }).where(eq(bulkJobs.id, job.id))
  await appendAudit(tx, {
    by: null,
    environment: job.environment,
    act: 'bulk.pause',
    target: jobTarget(job.id, job.title),
    outcome: 'done',
    code,
    comment: because,
    caller: noCaller,
  })
}
