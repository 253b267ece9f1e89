import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { noOrigin } from '#lib/audit/request-origin.ts'
import { database, withPool } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { prepareRequest } from '#lib/environments/environments.ts'
import { publish } from '#lib/live/publish.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { type AppError, isAppError } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure } from '#lib/shared/log.ts'
import { secondMs } from '#lib/shared/time.ts'
import { type WorkUnderWay, workUnderWay } from '#lib/shared/work-under-way.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { sealGrant } from '../approvals/grant.ts'
import { findOperation, type JournalEntry } from '../journal.ts'
import { performOperation } from '../perform.ts'
import { findSpec } from '../registry.ts'
import type { Obstacle } from '../spec.ts'
import { readApprovedDigests } from './approved-rows.ts'
import { claimJob, leaseOfJob, type JobRow } from './lease.ts'
import { lockJob } from './rows.ts'
import { claimNextRow, pauseAtRow, refuseRow, backOffBeforeRow, settleRow, type ClaimedRow } from './run-row.ts'
import { pauseByConsole } from './stop.ts'

/** Jobs that a process drives at the same time, each row by row. */
const jobsAtOnce = 8

type Running = { work: WorkUnderWay; drivers: number; stopping: AbortController }
const running = globalSingleton<Running>('carddeskBulkJobs', () => ({
  work: workUnderWay(),
  drivers: 0,
  stopping: new AbortController(),
}))

/** Takes the jobs that no process drives: new ones, resumed ones, and those of a process that died. */
export async function runBulkJobs(): Promise<void> {
  const { stopping } = running()
  while (running().drivers < jobsAtOnce && !stopping.signal.aborted) {
    running().drivers += 1
    const holder = randomUUID()
    let job: JobRow | null = null
    try {
      job = await claimJob(database(), holder)
    } finally {
      if (!job) running().drivers -= 1
    }
    if (!job) return
    const { id } = job
    const driving = driveJob(job, holder, stopping.signal)
      .catch((error: unknown) => logFailure(error, { while: 'driving a bulk job', job: id }))
      .finally(() => (running().drivers -= 1))
    running().work.track(driving)
  }
}

/** Runs jobs immediately, after a change of one. It never fails and never waits. */
export function wakeBulkJobs(): void {
  const round = withPool('background', runBulkJobs).catch((error: unknown) =>
    logFailure(error, { while: 'taking on bulk jobs' }),
  )
  running().work.track(round)
}

/** Waits until this process drives none any more. */
export async function bulkJobsDone(): Promise<void> {
  await running().work.ended()
}

/** Releases every job after its current row; another process, or this one after its restart, continues. */
export async function stopBulkJobs(): Promise<void> {
  running().stopping.abort()
  await bulkJobsDone()
  running().stopping = new AbortController()
}

/** How often open pages are notified at most. */
const publishEveryMs = secondMs

/**
 * Runs the rows of a job one by one, while this process holds the lease, the job is running, and the service responds.
 */
async function driveJob({ id, environment }: JobRow, leaseHolder: string, signal: AbortSignal): Promise<void> {
  const lease = leaseOfJob(database(), id, leaseHolder)
  const stopRenewing = lease.keep()
  const about = [{ type: 'bulk-job' as const, id }]
  let publishedAt = 0
  try {
    const approved = await readApprovedDigests(environment, id)
    if (approved === 'refused') return await pauseUnapproved(id, leaseHolder)
    while (!signal.aborted) {
      const beganAt = performance.now()
      const claimed = await claimNextRow(id, leaseHolder)
      if (!claimed || !(await runRow(claimed, approved))) return
      if (performance.now() - publishedAt >= publishEveryMs) {
        publishedAt = performance.now()
        publish(environment, about)
      }
      const restMs = paceMs(claimed) - (performance.now() - beganAt)
      await delay(Math.max(0, restMs), undefined, { signal, ref: false }).catch(() => undefined)
    }
  } finally {
    stopRenewing()
    await lease.release()
    publish(environment, about)
  }
}

/** Performs a row, or refuses it; whether the job goes on at once. */
async function runRow(claimed: ClaimedRow, approved: ReadonlyMap<number, string> | 'not-needed'): Promise<boolean> {
  const objection = await findObjection(claimed)
  if (isAppError(objection)) return backOffBeforeRow(claimed, objection)
  if (objection) return refuseRow(claimed, objection)
  return performOperation(await toJournalEntry(claimed, approved)).then(
    ({ row }) => settleRow(claimed, row),
    (error: unknown) =>
      isAppError(error) && error.code === 'ALREADY_UNDER_WAY'
        ? refuseRow(claimed, { text: error.message }, { isAudited: true })
        : pauseAtRow(claimed, error),
  )
}

/** Why a row must not be sent, by its record as it is now, or the error of reading that; null where it may be. */
async function findObjection({ job, item }: ClaimedRow): Promise<Obstacle | AppError | null> {
  const check = findSpec(job.kind)?.inJob?.check
  if (!check) return null
  // The record of a row that was sent before may show its own change: its operation settles it.
  const before = await findOperation(database(), item.operationId)
  if (before && before.state !== 'not-sent') return null
  const { body, facts } = item
  return check({ environment: job.environment, target: toTarget(item), body, facts }).catch((error: unknown) => {
    if (!isAppError(error)) throw error
    return error.status === 404 ? { text: error.message } : error
  })
}

async function pauseUnapproved(id: string, leaseHolder: string): Promise<void> {
  await inTransaction(database(), async (tx) => {
    const job = await lockJob(tx, id, leaseHolder)
    if (job?.state !== 'running') return
    await pauseByConsole(tx, job, 'The rows are not those that were approved.', 'APPROVAL_MISMATCH')
  })
}

/** The approved digest of a row: the signer refuses any other bytes. */
function grantOfRow({ operationId, position }: ClaimedRow['item'], approved: ReadonlyMap<number, string>): Buffer {
  const sha256 = approved.get(position) ?? ''
  return sealGrant(operationId, { sha256, termsSha256: null, quoteId: null, by: '', at: new Date().toISOString() })
}

/** Milliseconds from the start of one row to that of the next. Jobs that run at the same time share the service's rate limit. */
function paceMs({ sharedBy }: ClaimedRow): number {
  return (secondMs * sharedBy) / consoleSettings().bulkRowsPerSecond
}

/** The row as an operation: the same bytes under the same id, whichever process claims it. */
async function toJournalEntry(
  { job, item }: ClaimedRow,
  approved: ReadonlyMap<number, string> | 'not-needed',
): Promise<JournalEntry> {
  const target = toTarget(item)
  const inJob = findSpec(job.kind)?.inJob
  const row = { id: item.operationId, environment: job.environment, target }
  return {
    ...row,
    sealedGrant: approved === 'not-needed' ? null : grantOfRow(item, approved),
    kind: job.kind,
    by: { id: job.staffId, name: job.staffName, role: job.staffRole },
    expected:
      (await inJob?.expected?.({ environment: job.environment, target, body: item.body, facts: item.facts })) ?? null,
    ...(inJob?.checkAlone ? { checkAlone: async (tx) => inJob.checkAlone?.(row, tx) } : {}),
    reason: job.reason,
    caller: job.caller ?? noOrigin,
    comment: `${job.title}: row ${item.position} of ${job.total}`,
    request: prepareRequest(job.environment, item.endpoint, item.body),
  }
}
