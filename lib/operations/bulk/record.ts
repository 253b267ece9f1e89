import type { Target } from '#lib/audit/types.ts'
import { isoTime } from '#lib/shared/time.ts'
import { toActor, toTarget } from '#lib/tables/schema.ts'
import type { JobRow } from './lease.ts'
import type { ItemRow } from './rows.ts'
import { bulkItemStates, bulkKinds, type BulkItem, type BulkItemState, type BulkJob } from './types.ts'

/** A job as people see it. */
export function toBulkJob(row: JobRow, counts: ReadonlyMap<BulkItemState, number>): BulkJob {
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
