import 'server-only'
import { and, eq, isNull } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { hasId } from '#lib/index/conditions.ts'
import { idKey } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import type { HoldingJob } from './types.ts'

/** The fees that a job is to waive and has not come to yet, because it waits for an approval, is paused or at work: by `idKey`. */
export async function findHeldFees(
  environment: Environment,
  feeIds: readonly string[],
): Promise<ReadonlyMap<string, HoldingJob>> {
  if (feeIds.length === 0) return new Map()
  const rows = await database()
    .select({ feeId: bulkItems.targetId, id: bulkJobs.id, title: bulkJobs.title, by: bulkJobs.staffName })
    .from(bulkJobs)
    .innerJoin(bulkItems, eq(bulkItems.jobId, bulkJobs.id))
    .where(
      and(
        eq(bulkJobs.environment, environment),
        eq(bulkJobs.kind, 'fee.waive'),
        isNull(bulkJobs.finishedAt),
        eq(bulkItems.state, 'waiting'),
        hasId(bulkItems.targetId, feeIds),
      ),
    )
  return new Map(rows.map(({ feeId, ...job }) => [idKey(feeId), job]))
}
