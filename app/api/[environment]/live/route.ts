import { respondToRead } from '#lib/console/desk/api.ts'
import { auditedRead } from '#lib/console/desk/audit/audited-reads.ts'
import { openLiveStream } from '#lib/console/desk/live/stream.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment }

export function GET(request: Request, context: { params: Promise<{ environment: string }> }): Promise<Response> {
  return respondToRead<Params, Response>(request, context, ({ environment }) =>
    auditedRead('live', environment, () => openLiveStream(request, environment)),
  )
}
