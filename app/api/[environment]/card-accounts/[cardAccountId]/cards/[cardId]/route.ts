import { readCard } from '#lib/console/cards/detail.ts'
import { answerRead } from '#lib/console/desk/api.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; cardAccountId: string; cardId: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; cardAccountId: string; cardId: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, cardAccountId, cardId }) =>
    readCard(environment, cardAccountId, cardId),
  )
}
