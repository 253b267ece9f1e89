import { and, eq, inArray } from 'drizzle-orm'
import type { Target } from '#lib/audit/types.ts'
import { isCardErrorCode, isErrorCode } from '#lib/contract/errors.ts'
import type { Queryable } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { indexedCards } from '#lib/tables/card-accounts.ts'
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

/** Rows as people see them, in their order. */
export async function readItems(
  db: Queryable,
  environment: Environment,
  rows: readonly ItemRow[],
): Promise<BulkItem[]> {
  const refused = rows.filter(isRefusedForStatus).map(({ targetId }) => targetId)
  const { id, status } = indexedCards
  const cards =
    refused.length === 0
      ? []
      : await db
          .select({ id, status })
          .from(indexedCards)
          .where(and(eq(indexedCards.environment, environment), inArray(id, refused)))
  const statuses = new Map(cards.map((card) => [card.id, card.status]))
  return rows.map((row) => toBulkItem(row, isRefusedForStatus(row) ? (statuses.get(row.targetId) ?? null) : null))
}

function isRefusedForStatus({ state, targetType, code }: ItemRow): boolean {
  return state === 'refused' && targetType === 'card' && code !== null && isErrorCode(code) && isCardErrorCode(code)
}

function toBulkItem(row: ItemRow, statusNow: string | null): BulkItem {
  const { position, operationId, facts, state, code, message, requestId, settledAt } = row
  return {
    position,
    operationId,
    target: toTarget(row),
    facts,
    state,
    code,
    message,
    statusNow,
    requestId,
    settledAt: isoTime(settledAt),
  }
}

/** A job as the audit trail names it. */
export function jobTarget(id: string, title: string): Target {
  return { type: 'bulk-job', id, parentId: null, label: title }
}
