import { environmentRoute } from '#app/api/environment-route.ts'
import { resultCsv } from '#lib/console/bulk/result-csv.ts'
import { auditedRead } from '#lib/console/desk/audit/audited-reads.ts'

export const GET = environmentRoute<'jobId'>(({ environment, jobId }, search) =>
  auditedRead('bulk-jobs/[jobId]/csv', environment, () => resultCsv(environment, jobId, search)),
)
