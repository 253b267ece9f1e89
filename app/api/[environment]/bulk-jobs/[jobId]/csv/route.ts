import { resultCsv } from '#lib/console/bulk/result-csv.ts'
import { respondToRead } from '#lib/console/desk/api.ts'
import { auditedRead } from '#lib/console/desk/audit/audited-reads.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; jobId: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; jobId: string }> },
): Promise<Response> {
  return respondToRead<Params, Response>(request, context, ({ environment, jobId }, search) =>
    auditedRead('bulk-jobs/[jobId]/csv', environment, () => resultCsv(environment, jobId, search)),
  )
}
