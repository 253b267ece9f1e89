import { respondToRead } from '#lib/console/desk/api.ts'
import { recordedYaml } from '#lib/console/lab/recording.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment }

export function GET(request: Request, context: { params: Promise<{ environment: string }> }): Promise<Response> {
  return respondToRead<Params, Response>(request, context, ({ environment }) => recordedYaml(environment))
}
