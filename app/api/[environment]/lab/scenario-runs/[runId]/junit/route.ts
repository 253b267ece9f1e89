import { respondToRead } from '#lib/console/desk/api.ts'
import { auditedRead } from '#lib/console/desk/audit/audited-reads.ts'
import { scenarioJunit } from '#lib/console/lab/scenarios.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; runId: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; runId: string }> },
): Promise<Response> {
  return respondToRead<Params, Response>(request, context, ({ environment, runId }) =>
    auditedRead('lab/scenario-runs/[runId]/junit', environment, () => scenarioJunit(environment, runId)),
  )
}
