import { environmentRoute } from '#app/api/environment-route.ts'
import { auditedRead } from '#lib/console/desk/audit/audited-reads.ts'
import { openLiveStream } from '#lib/console/desk/live/stream.ts'

export const GET = environmentRoute(({ environment }, _search, request) =>
  auditedRead('live', environment, () => openLiveStream(request, environment)),
)
