import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { findRead } from '#lib/api/reads.ts'
import { withRequestContext } from '#lib/auth/session.ts'
import { answerEnvironmentRead, type Json, type ReadRequest } from '#lib/gate/api.ts'
import { withDirectHeaders } from '#lib/shared/direct-requests.ts'
import { send, untilLeft } from '#lib/shared/http-exchange.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isTraced } from '#lib/shared/tracing.ts'
import { reads } from './reads.ts'
import { apiHeaders } from './security-headers.ts'

type FoundRead = NonNullable<ReturnType<typeof findRead>>
type Read = (environment: Environment, ...rest: unknown[]) => Promise<object>

/** Runs a read of the API for its request, whose sender may leave. */
export function answerRead(
  request: ReadRequest,
  environment: string,
  { name, ids }: FoundRead,
): Promise<Json | Response> {
  const read = reads[name] as Read
  const { signal } = request
  return answerEnvironmentRead(request, environment, (valid, search) =>
    withRequestContext({ signal }, () => read(valid, ...ids, search)),
  )
}

/**
 * Responds to a read without Next, whose layers take more of the processor than the read itself. It returns false for what Next has
 * to handle: paths with escapes, everything that is no read, and all requests where traces are exported, since their spans begin
 * there.
 */
export function respondWithoutNext(request: IncomingMessage, response: ServerResponse): boolean {
  const [, environment, path] = plainPath.exec(request.url ?? '') ?? []
  if (request.method !== 'GET' || !environment || !path || isTraced()) return false
  const found = findRead(path.split('/'))
  if (!found) return false
  respond(request, response, (sent) => answerRead(sent, environment, found)).catch((error: unknown) => {
    logFailure(error, { path })
    response.destroy()
  })
  return true
}

/** The environment and the rest of a path of which each character stands for itself. */
const plainPath = /^\/api\/(sandbox|production)\/([\w~-]+(?:\/[\w~-]+)*)(?:\?|$)/

async function respond(
  message: IncomingMessage,
  response: ServerResponse,
  answer: (sent: ReadRequest) => Promise<Json | Response>,
): Promise<void> {
  // Nothing else is asked of them, and `Headers` checks and sorts each one.
  const headers = { get: (name: string) => message.headers[name]?.toString() ?? null }
  const sent = { url: message.url ?? '', headers, signal: untilLeft(response) }
  const answered = await withDirectHeaders(headers, () => answer(sent))
  // The results of a bulk job are a file, which is in memory.
  const body = answered instanceof Response ? Buffer.from(await answered.arrayBuffer()) : answered.text
  const own = answered instanceof Response ? Object.fromEntries(answered.headers) : answered.headers
  await send(message, response, { status: answered.status, headers: { ...apiHeaders, ...own }, body })
}
