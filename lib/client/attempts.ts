import type { EndpointName } from '#lib/contract/endpoints.ts'
import { traceHeaders } from '#lib/shared/tracing.ts'
import { signAuthorization } from '#lib/signing/authorization.ts'
import { bodyHash } from '#lib/signing/digest.ts'
import { type ApprovedRequest, requireApproved } from './approved-request.ts'
import { circuitBreaker, type CircuitState, type Pass, retryBudget } from './circuit-breaker.ts'
import { notify, type ServiceClientSettings } from './client-options.ts'
import type { Prepared } from './prepare.ts'
import { type Quota, quotas } from './quota.ts'
import { type AttemptResult, readResponse } from './read-response.ts'
import { clientErrors } from './service-error.ts'
import { openTransport } from './transport.ts'

export type AttemptOptions = {
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
  attempts?: number | undefined
  deadlineMs?: number | undefined
  /** For each request of the call; the client's own setting where it is left out. */
  attemptTimeoutMs?: number | undefined
  /** No person waits for the response: the request has the priority of background tasks (RFC 9218). */
  isBackground?: boolean | undefined
  /** These bytes were sent before under this key, with an unknown outcome: only a response of the service settles it. */
  wasSentBefore?: boolean | undefined
  /** False: a 429 is not repeated within the call. */
  isRepeatedWhenLimited?: boolean | undefined
  /** A second person approved this request; no other bytes may be signed. */
  approved?: ApprovedRequest | undefined
  /** Called once a request is signed and before it leaves: from then on the service may be reading what it will respond to. */
  onSend?: (() => void) | undefined
}

/** The result of all attempts: the last response, their number, and whether an earlier one may have had an effect. */
export type Attempted = { last: AttemptResult; attempts: number; hadEffectBefore: boolean }

export type Sender = {
  attempt: (prepared: Prepared, options: AttemptOptions, isRepeatable: boolean) => Promise<Attempted>
  clockOffsetMs: () => number | null
  quota: (name: EndpointName) => Quota | null
  circuit: () => CircuitState
  close: () => Promise<void>
}

/** Sends requests, each attempt freshly signed, and repeats those that may be repeated. */
export function sender(settings: ServiceClientSettings): Sender {
  const { wallMs, monotonicMs, random, pause } = settings.surroundings
  const transport = openTransport(settings.origin, settings.transport)
  const breaker = circuitBreaker(settings.circuitBreaker, monotonicMs)
  const budget = retryBudget(settings.retryBudget)
  const clock = clockOffset()
  const names = settings.profile.headers
  const quota = quotas(names)

  async function attempt(prepared: Prepared, options: AttemptOptions, isRepeatable: boolean): Promise<Attempted> {
    requireSendable(prepared, options)
    if (options.approved) requireApproved(prepared, options.approved, settings.profile)
    const maximum = isRepeatable ? (options.attempts ?? settings.retry.attempts) : 1
    const endMs = monotonicMs() + (options.deadlineMs ?? settings.retry.deadlineMs)
    const attempted: Attempted = {
      last: notSent('CIRCUIT_OPEN'),
      attempts: 0,
      hadEffectBefore: options.wasSentBefore ?? false,
    }

    for (;;) {
      if (options.signal?.aborted) return addResult(attempted, notSent('CANCELLED'))
      const pass = breaker.enter()
      if (!pass) return attempted
      if (attempted.attempts === 0) budget.noteFirstAttempt(monotonicMs())
      const attemptTimeoutMs = options.attemptTimeoutMs ?? settings.retry.attemptTimeoutMs
      const timeoutMs = Math.min(attemptTimeoutMs, Math.max(1, endMs - monotonicMs()))
      const result = await once(prepared, options, pass, timeoutMs, attempted.attempts + 1)
      addResult(attempted, result)
      attempted.attempts++

      const isEnd = result.verdict !== 'again' || (result.status === 429 && options.isRepeatedWhenLimited === false)
      if (isEnd || attempted.attempts >= maximum) return attempted
      const pauseMs = pauseBefore(attempted.attempts, result.retryAfterMs)
      if (monotonicMs() + pauseMs >= endMs || !budget.takeRetry(monotonicMs())) return attempted
      await pause(pauseMs, options.signal).catch(() => undefined)
    }
  }

  async function once(
    prepared: Prepared,
    { idempotencyKey, signal, isBackground = false, onSend }: AttemptOptions,
    pass: Pass,
    timeoutMs: number,
    attempt: number,
  ): Promise<AttemptResult> {
    try {
      const startMs = monotonicMs()
      const uri = `${settings.basePath}${prepared.path}`
      const { method, bytes } = prepared
      const now = Math.floor(wallMs() / 1000)
      const { accessKey, privateKey } = settings
      const authorization = await signAuthorization({ accessKey, privateKey, method, uri, body: bytes, now })
      onSend?.()
      const sentMs = wallMs()
      const exchanged = await transport.exchange({
        method,
        uri,
        bytes,
        timeoutMs,
        signal,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          authorization,
          ...(bytes ? { 'content-type': 'application/json' } : {}),
          ...(idempotencyKey === undefined ? {} : { [names.idempotencyKey]: idempotencyKey }),
          ...(isBackground ? { priority: 'u=7' } : {}),
          ...traceHeaders(),
        },
      })
      const receivedMs = wallMs()
      clock.note(exchanged.headers['date'], sentMs, receivedMs)
      quota.note(prepared.name, exchanged.headers, monotonicMs())
      const result = readResponse(exchanged, names, receivedMs)
      note(pass, result)
      const { status, requestId, code } = result
      const durationMs = Math.round(monotonicMs() - startMs)
      notify(settings.onRequest, { method, path: prepared.path, status, durationMs, requestId, attempt, code })
      return result
    } finally {
      pass.abandoned()
    }
  }

  function pauseBefore(retry: number, retryAfterMs: number | null): number {
    const { baseMs, maximumMs } = settings.retry
    return (retryAfterMs ?? 0) + random() * Math.min(maximumMs, baseMs * 2 ** (retry - 1))
  }

  return {
    attempt,
    clockOffsetMs: clock.offsetMs,
    quota: (name) => quota.of(name, monotonicMs()),
    circuit: breaker.state,
    close: transport.close,
  }
}

/** Adds the result of another attempt; what an attempt before it may have done stays known. */
function addResult(attempted: Attempted, result: AttemptResult): Attempted {
  if (attempted.attempts > 0 && attempted.last.hadEffect === 'possibly') attempted.hadEffectBefore = true
  attempted.last = result
  return attempted
}

/** No response, or a gateway's that the service is away. A 500 is a response to one request and counts as one. */
const awayStatuses: readonly (number | null)[] = [null, 502, 503, 504]

function note(pass: Pass, { status, code }: AttemptResult): void {
  if (code === 'CANCELLED' && status === null) pass.abandoned()
  else if (awayStatuses.includes(status)) pass.failed()
  else pass.succeeded()
}

function notSent(code: 'CIRCUIT_OPEN' | 'CANCELLED'): AttemptResult {
  return {
    verdict: code === 'CIRCUIT_OPEN' ? 'again' : 'final',
    hadEffect: 'no',
    status: null,
    code,
    message: clientErrors[code],
    requestId: null,
    retryAfterMs: null,
    body: undefined,
    unreadable: null,
    replayed: false,
    cause: undefined,
    headers: {},
    text: null,
  }
}

function requireSendable({ bytes, bodySha256, name }: Prepared, { idempotencyKey }: AttemptOptions): void {
  if (bodyHash(bytes) !== bodySha256) {
    throw new TypeError(`The bytes of ${name} are not the ones that were prepared, so they are not signed`)
  }
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new TypeError('An idempotency key in a header is 1 to 255 visible ASCII characters')
  }
}

/** How far the service's clock is ahead of this one, by the `Date` header of its responses; null before the first. */
type ClockOffset = {
  note: (date: unknown, sentMs: number, receivedMs: number) => void
  offsetMs: () => number | null
}

function clockOffset(): ClockOffset {
  let offsetMs: number | null = null
  return {
    note(date, sentMs, receivedMs) {
      const at = typeof date === 'string' ? Date.parse(date) : Number.NaN
      // The header has whole seconds, so on average the service's clock was half a second further.
      if (!Number.isNaN(at)) offsetMs = Math.round(at + 500 - (sentMs + receivedMs) / 2)
    },
    offsetMs: () => offsetMs,
  }
}
