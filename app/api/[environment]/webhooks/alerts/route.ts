import { answerRead } from '#lib/console/desk/api.ts'
import { readWebhookAlerts } from '#lib/console/webhooks/read.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment }

export function GET(request: Request, context: { params: Promise<{ environment: string }> }): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment }) => readWebhookAlerts(environment))
}
