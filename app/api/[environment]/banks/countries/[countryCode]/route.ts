import { listPayoutBanks } from '#lib/console/banks.ts'
import { answerRead } from '#lib/console/desk/api.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; countryCode: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; countryCode: string }> },
): Promise<Response> {
  return answerRead<Params, unknown>(request, context, ({ environment, countryCode }) =>
    listPayoutBanks(environment, countryCode),
  )
}
