import 'server-only'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { bulkActions } from '#lib/api/bulk.ts'
import { appendAudit } from '#lib/audit/chain.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import { requirePermission } from '#lib/auth/session.ts'
import type { Staff } from '#lib/auth/types.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { action } from '#lib/gate/action.ts'
import { publish } from '#lib/live/publish.ts'
import type { JobRow } from '#lib/operations/bulk/lease.ts'
import { jobTarget, readJob } from '#lib/operations/bulk/record.ts'
import { cancelWaiting, countItems, lockJob } from '#lib/operations/bulk/rows.ts'
import { notPaused } from '#lib/operations/bulk/run-row.ts'
import { wakeBulkJobs } from '#lib/operations/bulk/run.ts'
import { findStarterProblem } from '#lib/operations/bulk/stop.ts'
import { bulkKinds, type BulkControlResult, type BulkJob, type BulkState } from '#lib/operations/bulk/types.ts'
import { Id } from '#lib/operations/spec.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { EnvironmentName } from '#lib/shared/parse.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { bulkJobs } from '#lib/tables/bulk.ts'
import { findJob } from './read.ts'

const Input = z.object({ environment: EnvironmentName, jobId: Id })

type Control = {
  act: string
  /** The states in which an action is possible; a job in its `already` state is left unchanged. */
  from: readonly BulkState[]
  already: BulkState
  change: (tx: Transaction, job: JobRow, staff: Staff) => Promise<void>
}

const pause: Control = {
  act: 'bulk.pause',
  from: ['running'],
  already: 'paused',
  change: (tx, job, { name }) => set(tx, job, { state: 'paused', pausedBecause: `${name} paused it.` }),
}

const resume: Control = {
  act: 'bulk.resume',
  from: ['paused'],
  already: 'running',
  async change(tx, job) {
    const stopped = await findStarterProblem(tx, job)
    if (stopped) throw new AppError('STARTER_NOT_PERMITTED', stopped)
    const [approval] = await tx.select({ state: approvals.state }).from(approvals).where(eq(approvals.id, job.id))
    if (approval && approval.state !== 'approved') {
      throw new AppError('NOT_PERMITTED', 'This job waits for the approval of another person.')
    }
    await set(tx, job, { ...notPaused, state: 'running', nextAt: new Date() })
  },
}

const cancel: Control = {
  act: 'bulk.cancel',
  from: ['running', 'paused'],
  already: 'cancelled',
  async change(tx, job, { id, name, role }) {
    const now = await cancelWaiting(tx, job.id)
    const decided = { decidedAt: now, decidedById: id, decidedByName: name, decidedByRole: role }
    await tx
      .update(approvals)
      .set({ ...decided, state: 'withdrawn', noticeDueAt: null })
      .where(and(eq(approvals.id, job.id), eq(approvals.state, 'waiting')))
    const counts = await countItems(tx, job.id)
    const hasOpen = (counts.get('running') ?? 0) + (counts.get('unknown') ?? 0) > 0
    await set(tx, job, {
      ...notPaused,
      state: 'cancelled',
      pausedBecause: `${name} cancelled it.`,
      nextAt: now,
      finishedAt: hasOpen ? null : now,
    })
  },
}

/** No further row starts after the current one. */
export const pauseBulkJob = control('pauseBulkJob', pause)

/** Resumes the job with the permission of the person who started it, which is checked again. */
export const resumeBulkJob = control('resumeBulkJob', resume)

/** Rows that have not started are cancelled. Rows that are done stay done. */
export const cancelBulkJob = control('cancelBulkJob', cancel)

function control(name: keyof typeof bulkActions, chosen: Control) {
  return action(name, {
    input: Input,
    run: async ({ environment, jobId }, { staff: by }): Promise<BulkControlResult> => {
      const { kind, title } = await findJob(environment, jobId)
      const attempt = { environment, kind: chosen.act, by, target: jobTarget(jobId, title) }
      const job = await auditRefusedAttempts(attempt, async () => {
        const staff = await requirePermission(bulkKinds[kind].permission, environment)
        return inTransaction(database(), (tx) => apply(tx, chosen, jobId, staff))
      })
      publish(environment, [{ type: 'bulk-job', id: jobId }, { type: 'approvals' }])
      wakeBulkJobs()
      return { kind: 'settled', job }
    },
  })
}

async function apply(
  tx: Transaction,
  { act, from, already, change }: Control,
  id: string,
  by: Staff,
): Promise<BulkJob> {
  const job = await lockJob(tx, id)
  if (!job) throw new AppError('BULK_JOB_NOT_FOUND', 'There is no such bulk job in this environment.')
  if (job.finishedAt && job.state !== already) {
    throw new AppError('INVALID_PARAMETERS', 'This job is over: nothing of it is left to be done or stopped.')
  }
  if (from.includes(job.state)) {
    await change(tx, job, by)
    const { environment, title, total } = job
    const counts = await countItems(tx, id)
    const comment = `${counts.get('done') ?? 0} of ${total} rows were done.`
    await appendAudit(tx, { by, environment, act, target: jobTarget(id, title), outcome: 'done', comment })
  }
  const now = await lockJob(tx, id)
  return readJob(tx, now ?? job)
}

async function set(tx: Transaction, { id }: JobRow, values: Partial<typeof bulkJobs.$inferInsert>): Promise<void> {
  await tx.update(bulkJobs).set(values).where(eq(bulkJobs.id, id))
}
