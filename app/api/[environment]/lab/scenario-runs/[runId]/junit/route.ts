import { environmentRoute } from '#app/api/environment-route.ts'
import { auditedRead } from '#lib/console/desk/audit/audited-reads.ts'
import { scenarioJunit } from '#lib/console/lab/scenarios.ts'

export const GET = environmentRoute<'runId'>(({ environment, runId }) =>
  auditedRead('lab/scenario-runs/[runId]/junit', environment, () => scenarioJunit(environment, runId)),
)
