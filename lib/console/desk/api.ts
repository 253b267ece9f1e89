import 'server-only'
import { randomUUID } from 'node:crypto'
import { isCallerBusy } from '#lib/db/errors.ts'
import { isEnvironment, type Environment } from '#lib/shared/routes.ts'
import { isAppError, AppError } from './app-error.ts'
import { logFailure } from './log.ts'
import { maskedForReader } from './masked-reads.ts'
import { originOf } from './request-origin.ts'
import { withSharedSession } from './session/session.ts'

/** The arguments of a route of the browser's API: the segments of its path, and the query parameters. */
type Read<Params, Data> = (params: Params, search: Record<string, string | string[]>) => Promise<Data>
type Context<Params> = { params: Promise<Params> }
type Segments<Params> = { [Name in keyof Params]: string }

/** Responds to a read with JSON (or the stream that it returned), or with the error's status and `{ code, message, requestId }`. */
export function respondToRead<Params extends { environment?: Environment }, Data>(
  request: Request,
  context: Context<Segments<Params>>,
  read: Read<Params, Data>,
): Promise<Response> {
  return withSharedSession(() => response(request, context, read))
}

async function response<Params extends { environment?: Environment }, Data>(
  request: Request,
  context: Context<Segments<Params>>,
  read: Read<Params, Data>,
): Promise<Response> {
  const requestId = originOf(request.headers).requestId ?? randomUUID()
  try {
    const params = requireEnvironment((await context.params) ?? {})
    const response = await read(params as unknown as Params, searchOf(request))
    if (!(response instanceof Response)) {
      return json(200, await maskedForReader(response, environmentOf(params)), requestId)
    }
    response.headers.set('x-request-id', requestId)
    return response
  } catch (error) {
    if (request.signal.aborted) return new Response(null, { status: callerHasLeft })
    const known = isCallerBusy(error) ? tooManyReads() : error
    if (isAppError(known)) {
      const { code, message, status } = known
      return json(status, { code, message, requestId: known.requestId ?? requestId }, requestId)
    }
    logFailure(error, { requestId, path: new URL(request.url).pathname })
    const message = 'Something went wrong in the console. Nothing was changed.'
    return json(500, { code: 'UNEXPECTED', message, requestId }, requestId)
  }
}

function tooManyReads(): AppError {
  return new AppError('TOO_MANY_ATTEMPTS', 'Too many of your requests are running. Try again in a moment.')
}

/** Of a response that is never read. */
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
  return json(status, { code, message, requestId }, requestId)
}

function json(status: number, body: unknown, requestId: string): Response {
  return Response.json(body, { status, headers: { 'x-request-id': requestId, 'cache-control': 'no-store' } })
}

function requireEnvironment<Params extends { environment?: string }>(params: Params): Params {
  if (params.environment !== undefined && !isEnvironment(params.environment)) {
    throw new AppError('ENVIRONMENT_NOT_FOUND', 'There is no such environment.')
  }
  return params
}

function environmentOf({ environment }: { environment?: string }): Environment | undefined {
  return environment !== undefined && isEnvironment(environment) ? environment : undefined
}

/** A key that is repeated becomes an array. */
function searchOf(request: Request): Record<string, string | string[]> {
  const { searchParams } = new URL(request.url)
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((key) => {
      const values = searchParams.getAll(key)
      return [key, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
