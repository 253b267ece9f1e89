import 'server-only'
import { and, eq } from 'drizzle-orm'
import { appendAudit } from '#lib/audit/chain.ts'
import { noOrigin } from '#lib/audit/request-origin.ts'
import { onlyRoles, roleNames } from '#lib/auth/permissions.ts'
import type { Transaction } from '#lib/db/connection.ts'
import { lockMember, mayDo } from '#lib/operations/approvals/people.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { bulkJobs } from '#lib/tables/bulk.ts'
import type { JobRow } from './lease.ts'
import { jobTarget } from './record.ts'
import { bulkKinds } from './types.ts'

/** Pauses a job for a reason that the console found, and records the reason. */
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
    caller: noOrigin,
  })
}

/**
 * Pauses the running jobs of a sandbox whose contents were replaced: the records that they were about are gone, and those that have
 * their ids now are others. `by` names who replaced them; null where that is not known.
 */
export async function pauseForReplaced(
  tx: Transaction,
  environment: Environment,
  by: string | null,
): Promise<JobRow[]> {
  const isRunning = and(eq(bulkJobs.environment, environment), eq(bulkJobs.state, 'running'))
  const jobs = await tx.select().from(bulkJobs).where(isRunning).orderBy(bulkJobs.id).for('update')
  const because = `The sandbox’s contents were replaced${by === null ? '' : ` by ${by}`}. The rows that are done went with those of before.`
  for (const job of jobs) await pauseByConsole(tx, job, because, 'CONTENTS_REPLACED')
  return jobs
}

/**
 * Why a job may not continue for its starter, or null. Checked before every row: a changed role or removed access
 * counts from the next row on.
 */
export async function findStarterProblem(
  tx: Transaction,
  job: Pick<JobRow, 'staffId' | 'staffName' | 'kind' | 'environment'>,
): Promise<string | null> {
  const member = await lockMember(tx, job.staffId)
  if (!member) return `${job.staffName}, who started this, has no access to the console any more.`
  const { role } = member
  const needed = bulkKinds[job.kind].permission
  if (mayDo(member, needed, job.environment)) return null
  return `${job.staffName}, who started this, is ${roleNames[role]} now. ${onlyRoles(needed, job.environment)}`
}
