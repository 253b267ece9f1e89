import { answerRead } from '#lib/console/desk/api.ts'
import { listIdentities } from '#lib/console/identity/read.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment }

export function GET(request: Request, context: { params: Promise<{ environment: string }> }): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment }, search) => listIdentities(environment, search))
}
