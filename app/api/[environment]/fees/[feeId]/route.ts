import { answerRead } from '#lib/console/desk/api.ts'
import { readFee } from '#lib/console/fees/list.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; feeId: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; feeId: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, feeId }) => readFee(environment, feeId))
}
