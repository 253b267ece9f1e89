import { respondToRead } from '#lib/console/desk/api.ts'
import { scenarioYaml } from '#lib/console/lab/scenarios.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; name: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; name: string }> },
): Promise<Response> {
  return respondToRead<Params, Response>(request, context, ({ environment, name }) => scenarioYaml(environment, name))
}
