import 'server-only'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { findJob } from '../bulk/read.ts'
import { requireService } from '../desk/connections/environments.ts'
import { csvText } from '../desk/csv/write.ts'
import { Id } from '../desk/operations/spec.ts'
import { parseSearch } from '../desk/parse.ts'
import { requirePermission } from '../desk/session/session.ts'
import { bulkItems } from '../desk/tables/bulk.ts'
import type { LimitsStart } from './shapes.ts'

const Search = z.object({ job: Id.optional() })

/**
 * For the page of limits, which needs the permission to set them. With `job` its text is a file of the rows that the job refused or
 * never began. Throws `BULK_JOB_NOT_FOUND`.
 */
export async function limitsStart(
  environment: Environment,
  search: Record<string, string | string[] | undefined>,
): Promise<LimitsStart> {
  await requirePermission('limits.set', environment)
  requireService(environment)
  const { job: jobId } = parseSearch(Search, search)
  if (jobId === undefined) return { text: '', job: null }
  const job = await findJob(environment, jobId)
  if (job.kind !== 'account.set-limit') return { text: '', job: null }
  const rows = await database()
    .select({ cardAccountId: bulkItems.targetId, facts: bulkItems.facts })
    .from(bulkItems)
    .where(and(eq(bulkItems.jobId, job.id), inArray(bulkItems.state, ['refused', 'cancelled'])))
    .orderBy(asc(bulkItems.position))
  const lines = rows.map(({ cardAccountId, facts }) => [cardAccountId, facts.limit])
  return {
    text: csvText([['cardAccountId', 'limit'], ...lines], { isQuoted: false }),
    job: { id: job.id, title: job.title },
  }
}
