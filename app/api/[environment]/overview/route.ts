import { answerRead } from '#lib/console/desk/api.ts'
import { readOverview } from '#lib/console/overview.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment }

export function GET(request: Request, context: { params: Promise<{ environment: string }> }): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment }) => readOverview(environment))
}
