import { answerRead } from '#lib/console/desk/api.ts'
import { readReference } from '#lib/console/references.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; type: string; id: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; type: string; id: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, type, id }) =>
    readReference(environment, type, id),
  )
}
