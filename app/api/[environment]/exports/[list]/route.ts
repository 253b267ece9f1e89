import { respondToRead } from '#lib/console/desk/api.ts'
import { exportList } from '#lib/console/export/export.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment; list: string }

export function GET(
  request: Request,
  context: { params: Promise<{ environment: string; list: string }> },
): Promise<Response> {
  return respondToRead<Params, Response>(request, context, ({ environment, list }, search) =>
    exportList(environment, list, search, request.signal),
  )
}
