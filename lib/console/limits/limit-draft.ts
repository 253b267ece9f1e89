import 'server-only'
import { z } from 'zod'
import { requireService } from '#lib/environments/environments.ts'
import { Id } from '#lib/operations/spec.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { readRowsToRetry } from '../bulk/read-rows-to-retry.ts'
import { csvText } from '../export/write-csv.ts'
import type { LimitsStart } from './types.ts'

const Search = z.object({ job: Id.optional() })

/**
 * For the page of limits, which needs the permission to set them. With `job` its text is a file of the rows that the job refused or
 * never began. Throws `BULK_JOB_NOT_FOUND`.
 */
export async function readLimitDraft(
  environment: Environment,
  search: Record<string, string | string[] | undefined>,
): Promise<LimitsStart> {
  requireService(environment)
  const { job: jobId } = parseSearch(Search, search)
  if (jobId === undefined) return { text: '', job: null }
  const left = await readRowsToRetry(environment, jobId, 'account.set-limit')
  if (left === null) return { text: '', job: null }
  const lines = left.rows.map(({ target, facts }) => [target.id, facts.limit])
  return {
    text: csvText([['cardAccountId', 'limit'], ...lines], { isQuoted: false }),
    job: { id: jobId, title: left.title },
  }
}
