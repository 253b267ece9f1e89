import 'server-only'
import { buildConnector, errors, Pool, type Dispatcher } from 'undici'
import { errorCode } from '#lib/shared/root-cause.ts'
import type { ClientErrorCode } from './service-error.ts'

export type TransportSettings = {
  connections: number
  connectTimeoutMs: number
  headersTimeoutMs: number
  bodyTimeoutMs: number
  maximumResponseBytes: number
}

type HttpRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path and query exactly as they go on the request line. */
  uri: string
  headers: Record<string, string>
  bytes: Uint8Array | null
  timeoutMs: number
  signal: AbortSignal | undefined
}

/** `wasSent` is false where the failure came before a connection was made: the service cannot have received the request. */
type TransportFailure = { code: ClientErrorCode; wasSent: boolean; cause: unknown }

/** The result of a request: a response, or a failure, or both where the response broke off after its head. */
export type Exchange = {
  status: number | null
  headers: Dispatcher.ResponseData['headers']
  text: string | null
  failure: TransportFailure | null
}

type Transport = { exchange: (request: HttpRequest) => Promise<Exchange>; close: () => Promise<void> }

/** Keep-alive connections to one origin. Failures of the wire are data, never thrown; redirects are not followed. */
export function openTransport(origin: string, settings: TransportSettings): Transport {
  const connectErrors = new WeakSet<Error>()
  const connector = buildConnector({ timeout: settings.connectTimeoutMs, allowH2: false })
  const pool = new Pool(origin, {
    connections: settings.connections,
    headersTimeout: settings.headersTimeoutMs,
    bodyTimeout: settings.bodyTimeoutMs,
    maxResponseSize: settings.maximumResponseBytes,
    connect: (options, callback) =>
      connector(options, (...result) => {
        if (result[0]) connectErrors.add(result[0])
        callback(...result)
      }),
  })

  async function exchange(request: HttpRequest): Promise<Exchange> {
    const timer = deadline(request.timeoutMs, request.signal)
    const exchanged: Exchange = { status: null, headers: {}, text: null, failure: null }
    try {
      const response = await pool.request({
        method: request.method,
        path: request.uri,
        headers: request.headers,
        body: request.bytes,
        signal: timer.signal,
      })
      exchanged.status = response.statusCode
      exchanged.headers = response.headers
      exchanged.text = await response.body.text()
    } catch (error) {
      if (errorCode(error) === 'UND_ERR_INVALID_ARG') throw error
      const neverConnected = isClosed(error) || (error instanceof Error && connectErrors.has(error))
      exchanged.failure = {
        code: failureCode(error, neverConnected),
        wasSent: !neverConnected,
        cause: safeCause(error),
      }
    } finally {
      timer.clear()
    }
    return exchanged
  }

  return { exchange, close: () => pool.close() }
}

const failureCodes: Readonly<Record<string, ClientErrorCode>> = {
  UND_ERR_HEADERS_TIMEOUT: 'TIMED_OUT',
  UND_ERR_BODY_TIMEOUT: 'TIMED_OUT',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'RESPONSE_TOO_LARGE',
  UND_ERR_HEADERS_OVERFLOW: 'RESPONSE_TOO_LARGE',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'RESPONSE_UNREADABLE',
}

function failureCode(error: unknown, neverConnected: boolean): ClientErrorCode {
  if (error === timedOut) return 'TIMED_OUT'
  if (error === cancelled) return 'CANCELLED'
  if (neverConnected) return 'CONNECTION_FAILED'
  if (error instanceof errors.HTTPParserError) return 'RESPONSE_UNREADABLE'
  return failureCodes[errorCode(error)] ?? 'CONNECTION_LOST'
}

/** Nothing is sent once the pool is closed; closing waits for requests in progress, so none is interrupted. */
function isClosed(error: unknown): boolean {
  return error instanceof errors.ClientClosedError || error instanceof errors.ClientDestroyedError
}

/** The parser's error holds what the service sent, which belongs in no log. */
function safeCause(error: unknown): unknown {
  return error instanceof errors.HTTPParserError ? new Error(error.message) : error
}

const timedOut = new Error('timed out')
const cancelled = new Error('cancelled')

/** One limit for the whole exchange: a service that sends a byte now and then would outlast the other time-outs. */
function deadline(timeoutMs: number, outer: AbortSignal | undefined): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(timedOut), timeoutMs)
  const cancel = () => controller.abort(cancelled)
  if (outer?.aborted) cancel()
  outer?.addEventListener('abort', cancel, { once: true })
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', cancel)
    },
  }
}
