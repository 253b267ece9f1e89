import { answerEnvironmentRead, toResponse } from '#lib/gate/api.ts'
import { auditRead } from '#lib/gate/audited-reads.ts'
import { openLiveStream } from '#lib/live/stream.ts'

type Context = { params: Promise<{ environment: string }> }

export async function GET(request: Request, context: Context): Promise<Response> {
  const answered = await answerEnvironmentRead(request, (await context.params).environment, (environment) =>
    auditRead({ path: 'live' }, environment, [], () => openLiveStream(request, environment)),
  )
  return toResponse(answered)
}
