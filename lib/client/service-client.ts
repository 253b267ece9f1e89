import 'server-only'
import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import type { ReceivedResponse } from '#lib/contract/records.ts'
import { textIn } from '#lib/shared/json.ts'
import { traced } from '#lib/shared/tracing.ts'
import { type Attempted, type AttemptOptions, sender } from './attempts.ts'
import type { CircuitState } from './circuit-breaker.ts'
import { notify, type ServiceClientOptions, toClientSettings } from './client-options.ts'
import { createFlights } from './flights.ts'
import { type ParsedResponse, parseResponse } from './parse-response.ts'
import { type EndpointInput, prepare, type Prepared } from './prepare.ts'
import type { Quota } from './quota.ts'
import { diagnose, type AttemptResult } from './read-response.ts'
import { type ClientErrorCode, type FailedOutcome, ServiceError } from './service-error.ts'
import { responseNames } from './service-profile.ts'

/** `attempts` and `deadlineMs` bound one call where the client's own settings are too patient for it. */
type CallOptions = Omit<AttemptOptions, 'wasSentBefore' | 'onSend'>
type SendOptions = AttemptOptions & { idempotencyKey: string }

/**
 * The result of sending a mutation. `accepted` is any 2xx: the caller verifies whether it took effect. `response` is
 * the record where the body matches the contract, else null; `body` is its JSON, undefined where it is no JSON.
 * `unknown` is settled by reading back, or by sending the same bytes under the same key.
 */
type SendOutcome<Response> =
  | {
      outcome: 'accepted'
      response: Response | null
      body: unknown
      unreadable: AttemptResult['unreadable']
      status: number
      requestId: string | null
      attempts: number
    }
  | { outcome: FailedOutcome; error: ServiceError }

/** A response with the number of records that were left out of it because they cannot be used, and whether a time of it had no zone. */
export type Called<Name extends EndpointName> = {
  response: ReceivedResponse<Name>
  excluded: number
  hasTimeWithoutZone: boolean
  requestId: string | null
}

export type ServiceClient = {
  /**
   * The parsed response of an endpoint. Throws `ServiceError`, also where the response is not of the endpoint's form. A POST
   * is repeated only under an idempotency key, which is the option's, or else the body's own `idempotencyKey`. Equal reads share
   * one request while it is being signed, and then its response, which nobody changes.
   */
  call: <Name extends EndpointName>(
    name: Name,
    input: EndpointInput<Name>,
    options?: CallOptions,
  ) => Promise<Called<Name>>
  /**
   * Sends a mutation under its idempotency key. Throws a `TypeError` where the bytes do not have the prepared hash, and
   * `NotApprovedError` where they are not those that were approved.
   */
  send: <Name extends EndpointName>(
    prepared: Prepared<Name>,
    options: SendOptions,
  ) => Promise<SendOutcome<ReceivedResponse<Name>>>
  /** Milliseconds that the service's clock is ahead of this one, measured on its last response; null before the first. */
  clockOffsetMs: () => number | null
  /** The rest of the service's rate limit for an endpoint, by its last response; null where that reported none. */
  quota: (name: EndpointName) => Quota | null
  circuit: () => CircuitState
  /** Waits as it does between attempts, in time that tests decide. */
  pause: (durationMs: number) => Promise<void>
  /** Waits for requests in progress and closes the connections. */
  close: () => Promise<void>
}

type FormError = { code: ClientErrorCode; message: string }

/** The signing client of one service. Throws `TypeError` for a base address or key that cannot be used. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const settings = toClientSettings(options)
  const { attempt, clockOffsetMs, quota, circuit, close } = sender(settings)
  const { monotonicMs, pause } = settings.surroundings

  async function attemptNoted(prepared: Prepared, options: AttemptOptions, isRepeatable: boolean): Promise<Attempted> {
    const startMs = monotonicMs()
    const { name, method, path, bytes } = prepared
    const attempted = await traced(`service ${name}`, { endpoint: name, method }, async (add) => {
      const done = await attempt(prepared, options, isRepeatable)
      const { status, requestId } = done.last
      add({ status: status ?? 0, attempts: done.attempts, ...(requestId && { requestId }) })
      return done
    })
    const { status, code, requestId, text } = attempted.last
    notify(settings.onCall, {
      name,
      method,
      path,
      bytes,
      status,
      code,
      requestId,
      text,
      idempotencyKey: options.idempotencyKey ?? null,
      isBackground: options.isBackground ?? false,
      attempts: attempted.attempts,
      durationMs: Math.round(monotonicMs() - startMs),
    })
    return attempted
  }

  /** The parsed body of a 2xx, or the error that an unreadable body is for a caller who needs its content. */
  function parse<Name extends EndpointName>(
    { name }: Prepared<Name>,
    result: AttemptResult,
  ): ParsedResponse | FormError {
    const { method, path, response: schema } = endpointRow(name)
    const endpoint = `${method} ${path}`
    if (result.unreadable !== null) {
      const found = { empty: 'an empty body', html: 'an HTML page', text: 'text' }[result.unreadable]
      return { code: 'RESPONSE_UNREADABLE', message: `${endpoint} returned ${found} where JSON was expected.` }
    }
    const parsed = parseResponse(schema, result.body, responseNames(settings.profile, name))
    if ('unexpected' in parsed) {
      const { expected, found } = parsed.unexpected
      report(name, result, { differences: [{ path: '', expected, found }], unknownFields: [] })
      return { code: 'RESPONSE_UNEXPECTED', message: `${endpoint} returned ${found}, expected ${expected}.` }
    }
    report(name, result, parsed)
    return parsed
  }

  function report(
    name: EndpointName,
    { requestId }: AttemptResult,
    { differences, unknownFields }: Pick<ParsedResponse, 'differences' | 'unknownFields'>,
  ): void {
    if (differences.length === 0 && unknownFields.length === 0) return
    notify(settings.onDeviation, { name, requestId, differences, unknownFields })
  }

  async function callPrepared<Name extends EndpointName>(
    prepared: Prepared<Name>,
    options: AttemptOptions,
    isRepeatable: boolean,
  ): Promise<Called<Name>> {
    const attempted = await attemptNoted(prepared, options, isRepeatable)
    if (attempted.last.verdict !== 'accepted') throw toError(attempted)
    const parsed = parse(prepared, attempted.last)
    if ('code' in parsed) {
      throw toError({ ...attempted, last: { ...attempted.last, ...parsed } })
    }
    const { record, excluded, hasTimeWithoutZone } = parsed
    const response = record as ReceivedResponse<Name>
    return { response, excluded, hasTimeWithoutZone, requestId: attempted.last.requestId }
  }

  /** Without a private key there is no token that a clock or a key could spoil. */
  function toError(attempted: Attempted): ServiceError {
    const isSigned = settings.privateKey !== null
    return toServiceError(attempted, isSigned ? diagnose(attempted.last, clockOffsetMs()) : null)
  }

  const unsentReads = createFlights()

  return {
    async call(name, input, options = {}) {
      const prepared = prepare(name, input, settings.profile)
      if (prepared.method !== 'GET') {
        const isRepeatable = options.idempotencyKey !== undefined || hasOwnKey(input.body)
        return callPrepared(prepared, options, isRepeatable)
      }
      const { signal, ...patience } = options
      return unsentReads.join(JSON.stringify([prepared.path, patience]), signal, (shared, onSend) =>
        callPrepared(prepared, { ...patience, signal: shared, onSend }, true),
      )
    },
    async send(prepared, options) {
      const attempted = await attemptNoted(prepared, options, true)
      const { last, attempts } = attempted
      if (last.verdict !== 'accepted' || last.status === null) {
        const error = toError(attempted)
        return { outcome: error.outcome, error }
      }
      const parsed = parse(prepared, last)
      const { status, requestId, body, unreadable } = last
      const response = 'code' in parsed ? null : (parsed.record as ReceivedResponse<typeof prepared.name>)
      return { outcome: 'accepted', response, body, unreadable, status, requestId, attempts }
    },
    clockOffsetMs,
    quota,
    circuit,
    pause: (durationMs) => pause(durationMs, undefined),
    close,
  }
}

/** "The body's `idempotencyKey` counts as the same": a decision of the wire. */
function hasOwnKey(body: unknown): boolean {
  return textIn(body, 'idempotencyKey') !== null
}

function toServiceError(attempted: Attempted, diagnosis: string | null): ServiceError {
  const { last, attempts } = attempted
  return new ServiceError(
    last.message,
    {
      outcome: failedOutcome(attempted),
      status: last.status,
      code: last.code,
      requestId: last.requestId,
      attempts,
      retryAfterMs: last.retryAfterMs,
      diagnosis,
    },
    { cause: last.cause },
  )
}

/** An error settles a request whose earlier attempt may have acted only where the service repeats its first response. */
function failedOutcome({ last, hadEffectBefore }: Attempted): FailedOutcome {
  // A token that the service accepted before was delivered twice, and the first delivery may have had the effect.
  const mayHaveHadEffect = hadEffectBefore || last.code === 'TOKEN_REPLAYED'
  if (last.verdict === 'refused') return mayHaveHadEffect && !last.replayed ? 'unknown' : 'refused'
  return hadEffectBefore || last.hadEffect === 'possibly' ? 'unknown' : 'not-sent'
}
