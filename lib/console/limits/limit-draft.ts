import 'server-only'
import { z } from 'zod'
import { requireService } from '#lib/environments/environments.ts'
import { Id } from '#lib/operations/spec.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { readRowsToRetry, readRowsToUndo } from '../bulk/earlier-rows.ts'
import { csvText } from '../export/write-csv.ts'
import type { LimitsStart } from './types.ts'

const Search = z.object({ job: Id.optional(), undo: Id.optional() })

/**
 * For the page of limits, which needs the permission to set them. With `job` its text is a file of the rows that the job refused or
 * never began, with `undo` one of the limits as they were before that job. Throws `BULK_JOB_NOT_FOUND`.
 */
export async function readLimitDraft(
  environment: Environment,
  search: Record<string, string | string[] | undefined>,
): Promise<LimitsStart> {
  requireService(environment)
  const { job, undo } = parseSearch(Search, search)
  const jobId = undo ?? job
  if (jobId === undefined) return { text: '', job: null }
  const isUndo = undo !== undefined
  const earlier = await (isUndo ? readRowsToUndo : readRowsToRetry)(environment, jobId, 'account.set-limit')
  if (earlier === null) return { text: '', job: null }
  const lines = earlier.rows.flatMap(({ target, facts: { limit, limitBefore } }) => {
    const amount = isUndo ? limitBefore : limit
    return amount ? [[target.id, amount]] : []
  })
  return {
    text: csvText([['cardAccountId', 'limit'], ...lines], { isQuoted: false }),
    job: { id: jobId, title: earlier.title, isUndo },
  }
}
