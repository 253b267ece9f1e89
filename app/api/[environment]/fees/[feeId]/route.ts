import { answerRead } from '#lib/console/api.ts'
import { readFee } from '#lib/console/fees.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; feeId: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; feeId: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, feeId }) => readFee(environment, feeId))
}
