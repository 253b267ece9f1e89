import { inArray } from 'drizzle-orm'
import type { Target } from '#lib/audit/types.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { isoTime } from '#lib/shared/time.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { toActor, toDecider, toTarget } from '#lib/tables/schema.ts'
import type { JobRow } from './lease.ts'
import { countItems, countItemsByJob, type ItemRow } from './rows.ts'
import {
  bulkItemStates,
  bulkKinds,
  type BulkItem,
  type BulkItemState,
  type BulkJob,
  type JobApproval,
} from './types.ts'

/** Jobs as people see them, in the order of the rows. */
export async function readJobs(db: Queryable, rows: readonly JobRow[]): Promise<BulkJob[]> {
  const ids = rows.map(({ id }) => id)
  const counts = await countItemsByJob(db, ids)
  const decided = await findJobApprovals(db, ids)
  return rows.map((row) => toBulkJob(row, counts.get(row.id) ?? new Map(), decided.get(row.id) ?? null))
}

/** A job as people see it. */
export async function readJob(db: Queryable, row: JobRow): Promise<BulkJob> {
  const decided = await findJobApprovals(db, [row.id])
  return toBulkJob(row, await countItems(db, row.id), decided.get(row.id) ?? null)
}

async function findJobApprovals(db: Queryable, jobIds: readonly string[]): Promise<Map<string, JobApproval>> {
  if (jobIds.length === 0) return new Map()
  const { id, state, decidedById, decidedByName, decidedByRole } = approvals
  const rows = await db
    .select({ id, state, decidedById, decidedByName, decidedByRole })
    .from(approvals)
    .where(inArray(id, [...jobIds]))
  return new Map(rows.map((row) => [row.id, { state: row.state, by: toDecider(row) }]))
}

function toBulkJob(row: JobRow, counts: ReadonlyMap<BulkItemState, number>, approval: JobApproval | null): BulkJob {
  const { id, environment, kind, title, reason, state, pausedBecause, total } = row
  return {
    id,
    environment,
    kind,
    title,
    reason,
    by: toActor(row),
    permission: bulkKinds[kind].permission,
    state,
    pausedBecause,
    total,
    counts: Object.fromEntries(bulkItemStates.map((name) => [name, counts.get(name) ?? 0])) as BulkJob['counts'],
    approval,
    createdAt: row.createdAt.toISOString(),
    finishedAt: isoTime(row.finishedAt),
  }
}

export function toBulkItem(row: ItemRow): BulkItem {
  const { position, operationId, facts, state, code, message, requestId, settledAt } = row
  return {
    position,
    operationId,
    target: toTarget(row),
    facts,
    state,
    code,
    message,
    requestId,
    settledAt: isoTime(settledAt),
  }
}

/** A job as the audit trail names it. */
export function jobTarget(id: string, title: string): Target {
  return { type: 'bulk-job', id, parentId: null, label: title }
}
