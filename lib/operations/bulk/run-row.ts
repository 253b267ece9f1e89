import 'server-only'
import { and, eq, isNull, min, ne, sql } from 'drizzle-orm'
import { appendAudit } from '#lib/audit/chain.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { requireService, msUntilRetry } from '#lib/environments/environments.ts'
import { credentialsText } from '#lib/environments/refused-credentials.ts'
import { type AppError, isAppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import { operations } from '#lib/tables/operations.ts'
import { toActor, toTarget } from '#lib/tables/schema.ts'
import type { OperationRow } from '../journal.ts'
import type { Obstacle } from '../spec.ts'
import type { JobRow } from './lease.ts'
import {
  areForbidden,
  countItems,
  isLockedOut,
  lockJob,
  copyOutcomes,
  takeNextItem,
  writeItem,
  wasNotPerformed,
  type ItemRow,
} from './rows.ts'
import { findStarterProblem, pauseByConsole } from './stop.ts'

/** After this long without a response a person has to decide. */
const timeoutMs = 10 * minuteMs
/** After this many consecutive rows without a known outcome the job pauses. */
const unknownRows = 5
const longestPauseMs = 30 * secondMs

/** A row to perform now, with its job as it is now and the number of jobs that share the service. */
export type ClaimedRow = { job: JobRow; item: ItemRow; sharedBy: number }

/**
 * Claims the next row, if there is one and the job may continue: this holder has the lease, the job runs, and its
 * starter still has the permission. Otherwise it updates the job: paused, waiting or finished.
 */
export async function claimNextRow(jobId: string, leaseHolder: string): Promise<ClaimedRow | null> {
  return inTransaction(database(), async (tx) => {
    const job = await lockJob(tx, jobId, leaseHolder)
    if (!job) return null
    if (job.state !== 'running') {
      await copyOutcomes(tx, job, ['unknown', 'running'])
      await leave(tx, job)
      return null
    }
    const stopped = await findStarterProblem(tx, job)
    if (stopped) {
      await pauseByConsole(tx, job, stopped, 'NOT_PERMITTED')
      return null
    }
    await copyOutcomes(tx, job, ['unknown'])
    const item = await takeNextItem(tx, job.id)
    if (item) return { job, item, sharedBy: await countRunningJobs(tx, job) }
    await leave(tx, job)
    return null
  })
}

/** Writes a row's outcome; whether the job goes on at once. */
export async function settleRow({ job, item }: ClaimedRow, operation: OperationRow): Promise<boolean> {
  return inTransaction(database(), async (tx) => {
    const now = await lockJob(tx, job.id)
    if (!now) return false
    const isRunning = now.state === 'running'
    if (!isRunning || !isRateLimited(operation)) await writeItem(tx, now, item, operation)
    if (!isRunning) return true
    // The row was not sent to the service: it runs at once, under its new id.
    if (operation.state === 'not-sent' && operation.settledAt) return true
    if (isLockedOut(operation)) {
      await pauseByConsole(tx, now, lockedOutAt(job, item), operation.code ?? 'NOT_CONNECTED')
      return false
    }
    if (operation.status === 403 && (await areForbidden(tx, item, forbiddenRows))) {
      await pauseByConsole(tx, now, forbidden, operation.code ?? 'NOT_PERMITTED')
      return false
    }
    if (!operation.settledAt || wasNotPerformed(operation)) {
      await backOff(tx, now, operation)
      return false
    }
    const wait = item.position < now.total ? findQuotaPause(job.environment, item.endpoint) : null
    if (wait) {
      await tx
        .update(bulkJobs)
        .set({ ...notPaused, ...wait })
        .where(eq(bulkJobs.id, job.id))
      return false
    }
    if (now.pausedBecause !== null) await tx.update(bulkJobs).set(notPaused).where(eq(bulkJobs.id, job.id))
    return true
  })
}

/** The share of the service's rate limit per minute that a job leaves to people. */
const shareOfPeople = 0.1

/** The rest of a minute whose requests are used up except for that share; null while there are more. */
function findQuotaPause(
  environment: Environment,
  endpoint: EndpointName,
): { nextAt: Date; pausedBecause: string } | null {
  const quota = requireService(environment).quota(endpoint)
  if (!quota || quota.remaining > quota.limit * shareOfPeople) return null
  return {
    nextAt: new Date(Date.now() + quota.resetsInMs),
    pausedBecause: `The card service allows ${quota.limit} of these requests a minute, and the rest of this minute’s are left to people. The job goes on by itself in the next.`,
  }
}

/** Calls the row as its list does. */
function lockedOutAt({ environment }: JobRow, { facts, position }: ItemRow): string {
  const name = facts.line ? `Line ${facts.line}` : `Row ${position}`
  return `The card service does not let the console in: every row would be refused. Ask an admin to check the ${credentialsText(environment)} in the settings, then resume the job. ${name} was not done either.`
}

/** After this many consecutive rows that the service forbids, a person has to decide. */
const forbiddenRows = 3
const forbidden = `The card service forbade the last ${forbiddenRows} rows (HTTP 403). It may not let the console do this at all.`

/** The row stays claimed and is the first to be sent again, under the same key. */
function isRateLimited({ settledAt, status }: OperationRow): boolean {
  return settledAt === null && status === 429
}

/**
 * Pauses the job at a row that the console itself refused before sending it. Any error but an `AppError` is rethrown: the row stays
 * claimed.
 */
export async function pauseAtRow({ job, item }: ClaimedRow, error: unknown): Promise<boolean> {
  if (!isAppError(error)) throw error
  await inTransaction(database(), async (tx) => {
    const now = await lockJob(tx, job.id)
    if (!now) return
    await writeItem(tx, now, item, null)
    if (now.state === 'running') await pauseByConsole(tx, now, error.message, error.code)
  })
  return false
}

/**
 * The record is not as the person saw it: the row is refused before it is sent, and the job goes on. A process that lost the job
 * meanwhile refuses nothing: the record may show what another one did for the row. `isAudited`: the attempt is in the audit log.
 */
export async function refuseRow(
  { job, item }: ClaimedRow,
  { text, code = 'CHANGED_MEANWHILE' }: Obstacle,
  { isAudited = false } = {},
): Promise<boolean> {
  const { jobId, position, operationId } = item
  const message = `${text} Nothing was sent.`
  await inTransaction(database(), async (tx) => {
    if (!(await lockJob(tx, job.id, job.leaseHolder ?? undefined))) return
    const refused = await tx
      .update(bulkItems)
      .set({ state: 'refused', code, message, settledAt: new Date() })
      .where(and(eq(bulkItems.jobId, jobId), eq(bulkItems.position, position), isNull(bulkItems.settledAt)))
      .returning({ position: bulkItems.position })
    if (refused.length === 0 || isAudited) return
    const { environment, kind: act, reason } = job
    const by = toActor(job)
    const target = toTarget(item)
    await appendAudit(tx, { by, environment, act, target, outcome: 'refused', code, reason, operationId })
  })
  return true
}

/** The record could not be read before a row: the row stays first, and the job rests where the service may respond again. */
export async function backOffBeforeRow(claimed: ClaimedRow, error: AppError): Promise<boolean> {
  if (error.code !== 'SERVICE_UNREACHABLE') return pauseAtRow(claimed, error)
  const { job, item } = claimed
  await inTransaction(database(), async (tx) => {
    const now = await lockJob(tx, job.id)
    if (!now) return
    await writeItem(tx, now, item, null)
    if (now.state === 'running') await backOff(tx, now, { status: null, code: error.code })
  })
  return false
}

/** The columns of a job that waits for nothing. */
export const notPaused = { silentSince: null, silentRows: 0, pausedBecause: null }

/** Waits longer with every row that got no response, and stops when a person has to decide. */
async function backOff(tx: Transaction, job: JobRow, operation: Pick<OperationRow, 'status' | 'code'>): Promise<void> {
  const silentSince = job.silentSince ?? new Date()
  const silentRows = job.silentRows + 1
  const unknown = (await countItems(tx, job.id)).get('unknown') ?? 0
  if (silentRows >= unknownRows && unknown >= unknownRows) {
    const because = `${unknown} rows have no known outcome. Carddesk is settling them: resume the job once they are known.`
    await pauseByConsole(tx, job, because, operation.code ?? 'UNKNOWN')
    return
  }
  if (Date.now() - silentSince.getTime() > timeoutMs) {
    const because = 'The card service hasn’t responded for more than ten minutes.'
    await pauseByConsole(tx, job, because, operation.code ?? 'SERVICE_UNREACHABLE')
    return
  }
  const pauseMs = Math.max(msUntilRetry(job.environment), Math.min(longestPauseMs, 2 ** silentRows * secondMs))
  await tx
    .update(bulkJobs)
    .set({ silentSince, silentRows, pausedBecause: pauseReason(operation), nextAt: new Date(Date.now() + pauseMs) })
    .where(eq(bulkJobs.id, job.id))
}

/** Why a job rests after a row without a known outcome. */
export function pauseReason({ status }: Pick<OperationRow, 'status'>): string {
  if (status === 429) return 'Rate limit reached. The job continues automatically.'
  if (status === null) return 'The card service isn’t responding. The job continues once it does.'
  if (status < 300)
    return 'The card service accepted the last row, but the change isn’t confirmed. The job continues shortly.'
  return `The card service failed with HTTP ${status}. The job continues shortly.`
}

/** No row can be taken: the job is finished, or rests until an outcome that is still open may be known. */
async function leave(tx: Transaction, job: JobRow): Promise<void> {
  const [open] = await tx
    .select({
      rows: sql<number>`count(*)::int`,
      waiting: sql<number>`count(*) filter (where ${bulkItems.state} = 'waiting')::int`,
      nextAt: min(operations.nextSettlementAt),
    })
    .from(bulkItems)
    .leftJoin(operations, eq(operations.id, bulkItems.operationId))
    .where(and(eq(bulkItems.jobId, job.id), isNull(bulkItems.settledAt)))
  if (!open || open.rows === 0) {
    // A cancelled job keeps who cancelled it.
    const end = job.state === 'cancelled' ? {} : { ...notPaused, state: 'finished' as const }
    await tx
      .update(bulkJobs)
      .set({ ...end, finishedAt: new Date() })
      .where(eq(bulkJobs.id, job.id))
  } else if (open.rows > open.waiting) {
    const soon = Date.now() + secondMs
    const nextAt = new Date(Math.max(soon, open.nextAt?.getTime() ?? 0))
    await tx.update(bulkJobs).set({ nextAt }).where(eq(bulkJobs.id, job.id))
  }
}

/** The running jobs of the environment, this one included: they share the pace. */
async function countRunningJobs(tx: Transaction, job: JobRow): Promise<number> {
  const [running] = await tx
    .select({ others: sql<number>`count(*)::int` })
    .from(bulkJobs)
    .where(
      and(
        eq(bulkJobs.environment, job.environment),
        isNull(bulkJobs.finishedAt),
        eq(bulkJobs.state, 'running'),
        ne(bulkJobs.id, job.id),
        sql`${bulkJobs.nextAt} <= clock_timestamp()`,
      ),
    )
  return 1 + (running?.others ?? 0)
}
