import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, asc, between, count, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#lib/db/connection.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import { operations } from '#lib/tables/operations.ts'
import type { OperationRow } from '../journal.ts'
import { toOutcome } from '../outcome.ts'
import type { JobRow } from './lease.ts'

export type ItemRow = typeof bulkItems.$inferSelect
type ItemCounts = Map<ItemRow['state'], number>

/** The job with its row locked, where it is still this holder's to drive. Every change of a job takes this lock first. */
export async function lockJob(tx: Transaction, jobId: string, leaseHolder?: string): Promise<JobRow | null> {
  const [job] = await tx.select().from(bulkJobs).where(eq(bulkJobs.id, jobId)).for('update')
  return job && (leaseHolder === undefined || job.leaseHolder === leaseHolder) ? job : null
}

/** The first row that is left, in order: one that a process was working on when it died is done before those after it. */
export async function takeNextItem(tx: Transaction, jobId: string): Promise<ItemRow | null> {
  const next = tx
    .select({ position: bulkItems.position })
    .from(bulkItems)
    .where(and(eq(bulkItems.jobId, jobId), inArray(bulkItems.state, ['running', 'waiting'])))
    .orderBy(asc(bulkItems.position))
    .limit(1)
  const [item] = await tx
    .update(bulkItems)
    .set({ state: 'running' })
    .where(and(eq(bulkItems.jobId, jobId), eq(bulkItems.position, sql`(${next})`)))
    .returning()
  return item ?? null
}

/**
 * Copies the outcomes of the journal to the rows that are still open. `states` are those that no process is working
 * on.
 */
export async function copyOutcomes(tx: Transaction, job: JobRow, states: ('unknown' | 'running')[]): Promise<void> {
  const open = await tx
    .select({ item: bulkItems, operation: operations })
    .from(bulkItems)
    .leftJoin(operations, eq(operations.id, bulkItems.operationId))
    .where(and(eq(bulkItems.jobId, job.id), inArray(bulkItems.state, states), isNull(bulkItems.settledAt)))
  for (const { item, operation } of open) await writeItem(tx, job, item, operation)
}

/**
 * Stores the result of a row's operation; null where the operation was never written, so that nothing can have been
 * sent. The real result overrides a cancellation: a slow process may have claimed the row after all.
 */
export async function writeItem(
  tx: Transaction,
  job: JobRow,
  { position, operationId }: Pick<ItemRow, 'position' | 'operationId'>,
  operation: OperationRow | null,
): Promise<void> {
  const isResult = operation !== null && !wasNotPerformed(operation)
  await tx
    .update(bulkItems)
    .set(isResult ? toItemResult(operation) : restarted(job, operation))
    .where(
      and(
        eq(bulkItems.jobId, job.id),
        eq(bulkItems.position, position),
        eq(bulkItems.operationId, operationId),
        isResult ? or(isNull(bulkItems.settledAt), eq(bulkItems.state, 'cancelled')) : isNull(bulkItems.settledAt),
      ),
    )
}

/** Whether the row can still run: it was not sent, or the service rejected the console's key, which decides nothing about the row. */
export function wasNotPerformed({ state, status }: OperationRow): boolean {
  return state === 'not-sent' || isLockedOut({ state, status })
}

/** The service refuses the console itself: every row would be refused alike. A 403 may be about the row alone. */
export function isLockedOut({ state, status }: Pick<OperationRow, 'state' | 'status'>): boolean {
  return state === 'refused' && status === 401
}

/** Whether this row and those just before it were all refused with a 403. */
export async function areForbidden(tx: Transaction, { jobId, position }: ItemRow, rows: number): Promise<boolean> {
  const [found] = await tx
    .select({ count: count() })
    .from(bulkItems)
    .innerJoin(operations, eq(operations.id, bulkItems.operationId))
    .where(
      and(
        eq(bulkItems.jobId, jobId),
        between(bulkItems.position, position - rows + 1, position),
        eq(operations.state, 'refused'),
        eq(operations.status, 403),
      ),
    )
  return found?.count === rows
}

/** A closed operation that was never sent can never be sent: the row gets a new one. */
function restarted(job: JobRow, operation: OperationRow | null) {
  const isClosed = operation !== null && operation.settledAt !== null
  return {
    ...(isClosed ? { operationId: randomUUID() } : {}),
    ...(job.state === 'cancelled'
      ? { state: 'cancelled' as const, settledAt: new Date() }
      : { state: 'waiting' as const }),
  }
}

function toItemResult(operation: OperationRow) {
  const { state, code, requestId, settledAt } = operation
  if (state === 'done') return { state: 'done' as const, code: null, message: null, requestId, settledAt }
  const { happened: message } = toOutcome(operation)
  return {
    state: state === 'refused' ? ('refused' as const) : ('unknown' as const),
    code,
    message,
    requestId,
    settledAt,
  }
}

/** Cancels the rows that have not started. Returns when. */
export async function cancelWaiting(tx: Transaction, jobId: string): Promise<Date> {
  const settledAt = new Date()
  await tx
    .update(bulkItems)
    .set({ state: 'cancelled', settledAt })
    .where(and(eq(bulkItems.jobId, jobId), eq(bulkItems.state, 'waiting')))
  return settledAt
}

/** Rows by state. */
export async function countItems(db: Queryable, jobId: string): Promise<ItemCounts> {
  return (await countItemsByJob(db, [jobId])).get(jobId) ?? new Map()
}

/** Rows by state, of each of these jobs that has any. */
export async function countItemsByJob(db: Queryable, jobIds: readonly string[]): Promise<Map<string, ItemCounts>> {
  if (jobIds.length === 0) return new Map()
  const { jobId, state } = bulkItems
  const rows = await db
    .select({ jobId, state, items: count() })
    .from(bulkItems)
    .where(inArray(jobId, [...jobIds]))
    .groupBy(jobId, state)
  const counts = new Map<string, ItemCounts>()
  for (const row of rows) counts.set(row.jobId, (counts.get(row.jobId) ?? new Map()).set(row.state, row.items))
  return counts
}
