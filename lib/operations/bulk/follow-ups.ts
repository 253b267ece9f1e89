import 'server-only'
import { and, count, eq, gt, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '#lib/db/connection.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import { operations } from '#lib/tables/operations.ts'
import { doneBefore } from '../steps.ts'
import type { JobRow } from './lease.ts'
import type { ItemRow } from './rows.ts'
import { undoingKind } from './types.ts'

const changedBy = sql`target_type, target_id, coalesce(facts ->> 'key', '')`

/**
 * SQL of the records that are left to do: those of the job's rows in these states, unless the record was as requested before, or a
 * later job of the kind did it, whoever started that. Each has type and id of the record, and the key of its metadata. It is a set,
 * since a job has thousands of rows.
 */
export function leftBy(
  { id, environment, kind, createdAt }: Pick<JobRow, 'id' | 'environment' | 'kind' | 'createdAt'> | typeof bulkJobs,
  states: readonly ItemRow['state'][],
): SQL {
  return sql`
    select ${changedBy} from ${bulkItems} where job_id = ${id} and ${inArray(sql`state`, [...states])}
      and coalesce(code, '') not in ${[...doneBefore]}
    except
    select ${changedBy} from ${bulkItems} where state = 'done' and job_id in (
      select later.id from ${bulkJobs} later
      where later.environment = ${environment} and later.kind = ${kind} and later.created_at > ${createdAt})`
}

/** Condition of a job's rows that a new job can do: refused or never begun, and not done by a later one. */
export function isLeft(job: JobRow): SQL | undefined {
  const states = ['refused', 'cancelled'] as const
  return and(
    eq(bulkItems.jobId, job.id),
    inArray(bulkItems.state, [...states]),
    sql`(${changedBy}) in (${leftBy(job, states)})`,
  )
}

/** How many rows a new job can do, by their state. */
export async function countLeft(db: Queryable, job: JobRow): Promise<Record<'refused' | 'cancelled', number>> {
  const rows = await db
    .select({ state: bulkItems.state, items: count() })
    .from(bulkItems)
    .where(isLeft(job))
    .groupBy(bulkItems.state)
  return { refused: 0, cancelled: 0, ...Object.fromEntries(rows.map(({ state, items }) => [state, items])) }
}

/**
 * Condition of a job's rows that another job can take back: done, with the record as this job left it, as far as Carddesk knows. Null
 * for a kind that nothing takes back.
 */
export function canBeUndone({ id, environment, kind }: JobRow): SQL | null {
  const undoing = undoingKind(kind)
  if (undoing === null) return null
  const changedLater = sql`select from ${operations} where ${and(
    eq(operations.environment, environment),
    eq(operations.targetId, bulkItems.targetId),
    inArray(operations.kind, [kind, undoing]),
    ne(operations.id, bulkItems.operationId),
    inArray(operations.state, ['sending', 'done', 'partial', 'unknown']),
    or(isNull(operations.settledAt), gt(operations.settledAt, bulkItems.settledAt)),
  )}`
  return sql`${and(eq(bulkItems.jobId, id), eq(bulkItems.state, 'done'))} and not exists (${changedLater})`
}
