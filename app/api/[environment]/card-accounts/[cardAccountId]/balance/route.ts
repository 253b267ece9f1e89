import { explainBalance } from '#lib/console/card-accounts/balance-explanation.ts'
import { answerRead } from '#lib/console/desk/api.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; cardAccountId: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; cardAccountId: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, cardAccountId }) =>
    explainBalance(environment, cardAccountId),
  )
}
