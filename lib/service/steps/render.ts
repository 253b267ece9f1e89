import type { Endpoint } from '#lib/contract/endpoint.ts'
import { commonErrors, errorTable, isCardErrorCode, type ErrorCode } from '#lib/contract/errors.ts'
import { isDatabaseUnavailable } from '#lib/db/errors.ts'
import { ApiError } from '../api-error.ts'
import { logFailure } from '../log.ts'

/** A response before it goes over the wire. */
export type RenderedResponse = { status: number; body: string; headers?: Readonly<Record<string, string>> }

export function renderResponse(value: unknown): RenderedResponse {
  return { status: 200, body: JSON.stringify(value) }
}

/** An error in the row's form. On the card endpoints a code that the row does not list is no business error. */
function renderApiError(error: ApiError, row: Endpoint | undefined): RenderedResponse {
  const { code, message, headers } = error
  if (row?.cardErrors && !isKnownTo(row, code)) return renderFailure(500, row)
  const { status } = errorTable[code]
  const isCardError = status === 400 && (row?.cardErrors || isCardErrorCode(code))
  const body = isCardError ? { statusCode: status, code, message } : { code, message }
  return { status, body: JSON.stringify(body), headers }
}

function isKnownTo(row: Endpoint, code: ErrorCode): boolean {
  return row.errors.includes(code) || (commonErrors as readonly ErrorCode[]).includes(code)
}

/** Failures of the service itself. They are no codes of the interface: a caller goes by the status, and tries again. */
const failures: Readonly<Record<number, { code: string; message: string }>> = {
  500: {
    code: 'INTERNAL_ERROR',
    message: 'the service could not do this; nothing is known to be wrong with the request',
  },
  502: { code: 'BAD_GATEWAY', message: 'the service could not reach a system behind it' },
  503: { code: 'SERVICE_UNAVAILABLE', message: 'the service is not available at the moment' },
}

/** A failure says nothing of its cause; on the card endpoints it has no code. */
export function renderFailure(status: number, row: Endpoint | undefined): RenderedResponse {
  const { code, message } = failures[status] ?? { code: `HTTP_${status}`, message: 'the service failed' }
  return { status, body: JSON.stringify(row?.cardErrors ? { statusCode: status, message } : { code, message }) }
}

/**
 * The response to an error. An unexpected one is logged and says nothing of its cause: 503 where the database was not
 * available, so that callers try again, else 500.
 */
export function renderError(error: unknown, row: Endpoint | undefined, requestId: string): RenderedResponse {
  if (error instanceof ApiError) return renderApiError(error, row)
  logFailure(error, { requestId })
  return renderFailure(isDatabaseUnavailable(error) ? 503 : 500, row)
}

const statusesWithoutBody = new Set([204, 205, 304])

export function toResponse(response: RenderedResponse): Response {
  const hasBody = !statusesWithoutBody.has(response.status)
  return new Response(hasBody ? response.body : null, {
    status: response.status,
    headers: {
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...response.headers,
    },
  })
}

/** Adds the headers that every response of the service has. One without `Cache-Control` must not be stored, one without a policy loads and is framed by nothing. */
export function withServiceHeaders(response: Response, requestId: string): Response {
  response.headers.set('X-Request-Id', requestId)
  response.headers.set('X-Content-Type-Options', 'nosniff')
  if (!response.headers.has('Content-Security-Policy'))
    response.headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
  return response
}
