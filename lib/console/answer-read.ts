import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { findRead } from '#lib/api/reads.ts'
import { withRequestContext } from '#lib/auth/session.ts'
import { answerEnvironmentRead, type Json, type ReadRequest } from '#lib/gate/api.ts'
import { withDirectHeaders } from '#lib/shared/direct-requests.ts'
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
export function answerDirectly(request: IncomingMessage, response: ServerResponse): boolean {
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
  request: IncomingMessage,
  response: ServerResponse,
  answer: (sent: ReadRequest) => Promise<Json | Response>,
): Promise<void> {
  const leaving = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort()
  })
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const sent = { url: request.url ?? '', headers, signal: leaving.signal }
  const answered = await withDirectHeaders(headers, () => answer(sent))
  // The results of a bulk job are a file, which is in memory.
  if (answered instanceof Response) {
    response.writeHead(answered.status, { ...apiHeaders, ...Object.fromEntries(answered.headers) })
    return void response.end(Buffer.from(await answered.arrayBuffer()))
  }
  const { status, text } = answered
  const isZipped = text !== null && text.length >= leastZipped && /\bgzip\b/.test(headers.get('accept-encoding') ?? '')
  response.writeHead(status, {
    ...apiHeaders,
    ...answered.headers,
    vary: 'accept-encoding',
    ...(isZipped && { 'content-encoding': 'gzip' }),
  })
  response.end(isZipped ? await zip(text) : text)
}

const zip = promisify(gzip)
/** A shorter text is sent sooner than it is compressed. */
const leastZipped = 4096
