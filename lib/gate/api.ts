import 'server-only'
import { randomUUID } from 'node:crypto'
import { readRequestOrigin } from '#lib/audit/request-origin.ts'
import { maskForReader } from '#lib/auth/masked-reads.ts'
import { withSharedSession } from '#lib/auth/session.ts'
import { isCallerBusy, isDatabaseUnavailable } from '#lib/db/errors.ts'
import { isAppError, AppError } from '#lib/shared/app-error.ts'
import type { RequestHeaders } from '#lib/shared/direct-requests.ts'
import { logFailure } from '#lib/shared/log.ts'
import { isEnvironment, type Environment } from '#lib/shared/routes.ts'

/** The query parameters of a request. A key that is repeated is an array. */
type ReadSearch = Record<string, string | string[]>

/** The parts of a request that a read uses. */
export type ReadRequest = Pick<Request, 'signal' | 'url'> & { headers: RequestHeaders }
type Read = (environment: Environment, search: ReadSearch) => Promise<object>

/** JSON that has not been sent: `text` is null where nobody is there to receive it. */
export type Json = { status: number; headers: Record<string, string>; text: string | null }

/** Responds to a read of no environment with JSON, or with the error's status and `{ code, message, requestId }`. */
export async function respondToRead(request: Request, read: () => Promise<object>): Promise<Response> {
  const readMasked = async () => maskForReader(await read(), undefined)
  return toResponse(await withSharedSession(() => answer(request, readMasked)))
}

/**
 * Runs a read of an environment. Returns JSON like that of `respondToRead`, for `toResponse` or a sender without Next, or the file or
 * stream that the read returned.
 */
export function answerEnvironmentRead(request: ReadRequest, environment: string, read: Read): Promise<Json | Response> {
  const readMasked = async () => {
    if (!isEnvironment(environment)) throw new AppError('ENVIRONMENT_NOT_FOUND', 'There is no such environment.')
    const value = await read(environment, parseSearch(request))
    return value instanceof Response ? value : maskForReader(value, environment)
  }
  return withSharedSession(() => answer(request, readMasked))
}

/** The response of a route handler. */
export function toResponse(answered: Json | Response): Response {
  if (answered instanceof Response) return answered
  const { text, ...init } = answered
  return new Response(text, init)
}

async function answer(request: ReadRequest, read: () => Promise<object>): Promise<Json | Response> {
  const requestId = readRequestOrigin(request.headers).requestId ?? randomUUID()
  try {
    const value = await read()
    if (!(value instanceof Response)) return json(200, value, requestId)
    value.headers.set('x-request-id', requestId)
    return value
  } catch (error) {
    if (request.signal.aborted) return { status: callerHasLeft, headers: {}, text: null }
    const known = isCallerBusy(error) ? tooManyReads() : error
    if (isAppError(known)) {
      const { code, message, status } = known
      return json(status, { code, message, requestId: known.requestId ?? requestId }, requestId)
    }
    logFailure(error, { requestId, path: new URL(request.url, 'http://console').pathname })
    const [status, code, message] = isDatabaseUnavailable(error)
      ? ([503, 'DATABASE_UNAVAILABLE', 'Carddesk’s database is busy or away. Nothing was changed. Try again.'] as const)
      : ([500, 'UNEXPECTED', 'Something went wrong in the console. Nothing was changed.'] as const)
    return json(status, { code, message, requestId }, requestId)
  }
}

function tooManyReads(): AppError {
  return new AppError('TOO_MANY_ATTEMPTS', 'Too many of your requests are running. Try again in a moment.')
}

/** Status in the log where the browser left; nobody receives it. */
const callerHasLeft = 499

/** The response to a path that the API does not have. */
export function respondNotFound(): Response {
  return respondError(404, 'NOT_FOUND', 'There is no such path.')
}

/** The response to another method than GET, where there is a read. */
export function respondMethodNotAllowed(): Response {
  const response = respondError(405, 'METHOD_NOT_ALLOWED', 'This can only be read.')
  response.headers.set('allow', 'GET, HEAD')
  return response
}

function respondError(status: number, code: string, message: string): Response {
  const requestId = randomUUID()
  return toResponse(json(status, { code, message, requestId }, requestId))
}

function json(status: number, body: unknown, requestId: string): Json {
  const headers = { 'content-type': 'application/json', 'x-request-id': requestId, 'cache-control': 'no-store' }
  return { status, headers, text: JSON.stringify(body) }
}

function parseSearch(request: ReadRequest): ReadSearch {
  const at = request.url.indexOf('?')
  if (at === -1) return {}
  const searchParams = new URLSearchParams(request.url.slice(at))
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((key) => {
      const values = searchParams.getAll(key)
      return [key, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
