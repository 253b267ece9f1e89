import { answerRead } from '#lib/console/desk/api.ts'
import { readLabState } from '#lib/console/lab/lab.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment }

export function GET(request: Request, context: { params: Promise<{ environment: string }> }): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment }) => readLabState(environment))
}
