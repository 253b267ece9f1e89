import { answerRead } from '#lib/console/desk/api.ts'
import { listTransactions } from '#lib/console/transactions/list.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; cardAccountId: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; cardAccountId: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, cardAccountId }, search) =>
    listTransactions(environment, cardAccountId, search),
  )
}
