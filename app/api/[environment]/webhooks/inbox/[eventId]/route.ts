import { answerRead } from '#lib/console/desk/api.ts'
import { readInboxEvent } from '#lib/console/inbox/read.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; eventId: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; eventId: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, eventId }) =>
    readInboxEvent(environment, eventId),
  )
}
