import { answerRead } from '#lib/console/desk/api.ts'
import { readAuditEntry } from '#lib/console/desk/audit/detail.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; number: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; number: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, number }) => readAuditEntry(environment, number))
}
