import { answerRead } from '#lib/console/desk/api.ts'
import { listFees } from '#lib/console/fees/list.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment }

export function GET(request: Request, context: { params: Promise<{ environment: string }> }): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment }, search) => listFees(environment, search))
}
