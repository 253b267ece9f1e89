import { respondToRead } from '#lib/console/desk/api.ts'
import { auditedRead } from '#lib/console/desk/audit/audited-reads.ts'
import { scenarioYaml } from '#lib/console/lab/scenarios.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; name: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; name: string }> },
): Promise<Response> {
  return respondToRead<Params, Response>(request, context, ({ environment, name }) =>
    auditedRead('lab/scenarios/[name]', environment, () => scenarioYaml(environment, name)),
  )
}
