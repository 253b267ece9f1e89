import { asFields, parseJson } from '#lib/shared/json.ts'
import { storableText } from '#lib/shared/texts.ts'
import { clientErrors } from './service-error.ts'
import type { HeaderNames } from './service-profile.ts'
import type { Exchange } from './transport.ts'

/**
 * The result of one attempt. `accepted`: any 2xx. `again`: the same request may succeed later. `hadEffect`: whether the
 * service may have acted on it, where its response does not say so.
 */
export type AttemptResult = {
  verdict: 'accepted' | 'refused' | 'again' | 'final'
  hadEffect: 'no' | 'possibly'
  status: number | null
  code: string | null
  message: string
  requestId: string | null
  retryAfterMs: number | null
  /** The parsed JSON of a 2xx; undefined where the body is empty or no JSON. */
  body: unknown
  /** For a 2xx whose body is not JSON: a description of the body. Null otherwise. */
  unreadable: 'empty' | 'html' | 'text' | null
  /** The service sent a stored response again. */
  replayed: boolean
  cause: unknown
  /** The response's headers and body as they came. */
  headers: Exchange['headers']
  text: string | null
}

/** Reads what came back from the service. Never throws; nothing of an unreadable body is repeated. */
export function readResponse(
  { status, headers, text, failure }: Exchange,
  names: HeaderNames,
  nowMs: number,
): AttemptResult {
  const base = {
    status,
    requestId: bounded(headers[names.requestId], 200),
    retryAfterMs: retryAfterMs(headers['retry-after'], nowMs),
    body: undefined,
    unreadable: null,
    replayed: headers[names.replayed] === 'true',
    cause: failure?.cause,
    headers,
    text,
  }
  const failed = (code: keyof typeof clientErrors, verdict: 'again' | 'final', wasSent = true): AttemptResult => {
    return { ...base, verdict, hadEffect: wasSent ? 'possibly' : 'no', code, message: clientErrors[code] }
  }

  if (status !== null && status >= 400) {
    const { code, message } = errorBody(text)
    // A proxy or HTTP server in front of a service reports it, mostly without a body, and closes the connection.
    if (tooLongStatuses.has(status) && code === null) {
      const error = 'REQUEST_TOO_LONG'
      return { ...base, verdict: 'refused', hadEffect: 'no', code: error, message: clientErrors[error] }
    }
    // A 408 is a time-out: a gateway that sends it may have passed the request on.
    const verdict = status >= 500 || status === 429 || status === 408 ? 'again' : 'refused'
    const hadEffect = verdict === 'again' ? 'possibly' : 'no'
    return { ...base, verdict, hadEffect, code, message: message ?? statusMessage(status) }
  }
  if (failure) {
    const isFinal = failure.code === 'RESPONSE_TOO_LARGE' || failure.code === 'CANCELLED'
    const result = failed(failure.code, isFinal ? 'final' : 'again', failure.wasSent)
    // The status of a response that broke off says nothing: what it would have said is lost. One that was too large had come.
    return failure.code === 'RESPONSE_TOO_LARGE' ? result : { ...result, status: null }
  }
  if (status === null || status < 200) return failed('RESPONSE_UNREADABLE', 'final')
  if (status >= 300) return failed('REDIRECTED', 'final')
  const body = parseJson(text ?? '')
  const unreadable = body === undefined ? kindOfText(text ?? '') : null
  return { ...base, verdict: 'accepted', hadEffect: 'possibly', code: null, message: '', body, unreadable }
}

/** The message of an error response that has none. */
export function statusMessage(status: number): string {
  return `The card service responded with HTTP ${status}.`
}

/** URI Too Long, Request Header Fields Too Large. */
const tooLongStatuses = new Set([414, 431])

function kindOfText(text: string): 'empty' | 'html' | 'text' {
  if (text.trim() === '') return 'empty'
  return /^\s*</.test(text) ? 'html' : 'text'
}

/**
 * The code and message of an error body. Where the interface's fields are missing, they are read from `error`, the first of
 * `errors`, or a problem document (RFC 9457).
 */
function errorBody(text: string | null): { code: string | null; message: string | null } {
  const body = asFields(parseJson(text ?? ''))
  const { error, errors } = body
  const levels = [body, asFields(error), asFields(Array.isArray(errors) ? errors[0] : errors)]
  const codes = levels.map(({ code }) => bounded(code, 100))
  const names = ['message', 'detail', 'error_description', 'title']
  const messages = [...levels.flatMap((level) => names.map((name) => level[name])), error]
  return {
    code: codes.find((code) => code !== null) ?? null,
    message: messages.map((value) => bounded(value, 2000)).find((value) => value !== null) ?? null,
  }
}

/** A cut may leave half a surrogate pair, which no column takes. */
function bounded(value: unknown, length: number): string | null {
  return typeof value === 'string' && value !== '' ? storableText(value.slice(0, length)) : null
}

/** RFC 9110, 10.2.3: seconds, or an HTTP date. */
function retryAfterMs(value: unknown, nowMs: number): number | null {
  if (typeof value !== 'string') return null
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

/** A difference that a token survives: the service's leeway of 5 s, less the precision of a Date header. */
const harmlessOffsetMs = 4000

/** Returns a hint for an administrator after a 401, or null. `offsetMs` is how far the service's clock is ahead. */
export function diagnose(
  { status, code, message }: Pick<AttemptResult, 'status' | 'code' | 'message'>,
  offsetMs: number | null,
): string | null {
  if (status !== 401) return null
  const clock = clockSentence(offsetMs)
  const areClocksApart = offsetMs !== null && Math.abs(offsetMs) > harmlessOffsetMs
  if (code === 'TOKEN_EXPIRED' || areClocksApart) return clock
  if (code !== 'INVALID_SIGNATURE') return null
  const claims = ['uri', 'method', 'body'].filter((claim) => new RegExp(`\\bclaim ${claim}\\b`).test(message))
  if (claims.length === 0) {
    return `The private key in the settings may not belong to the public key that is registered for this access key. ${clock}`
  }
  return `The card service received another ${claims.join(' and another ')} than was signed: something between the console and the card service changes requests. ${clock}`
}

function clockSentence(offsetMs: number | null): string {
  if (offsetMs === null) return 'The card service’s clock could not be compared: its responses have no Date header.'
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  if (Math.abs(offsetMs) <= harmlessOffsetMs) return 'The clocks of console and service agree to within a few seconds.'
  return `The card service’s clock is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} this server’s. Tokens live for seconds: set the clock that is wrong.`
}
