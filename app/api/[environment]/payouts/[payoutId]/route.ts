import { answerRead } from '#lib/console/desk/api.ts'
import { readPayout } from '#lib/console/payouts/read.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; payoutId: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; payoutId: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, payoutId }) => readPayout(environment, payoutId))
}
