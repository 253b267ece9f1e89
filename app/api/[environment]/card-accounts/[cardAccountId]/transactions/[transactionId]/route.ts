import { answerRead } from '#lib/console/desk/api.ts'
import { readTransaction } from '#lib/console/transactions/detail.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; cardAccountId: string; transactionId: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; cardAccountId: string; transactionId: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, cardAccountId, transactionId }) =>
    readTransaction(environment, cardAccountId, transactionId),
  )
}
