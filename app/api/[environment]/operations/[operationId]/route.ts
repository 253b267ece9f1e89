import { answerRead } from '#lib/console/desk/api.ts'
import { readOperation } from '#lib/console/desk/operations/read.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; operationId: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; operationId: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, operationId }) =>
    readOperation(environment, operationId),
  )
}
