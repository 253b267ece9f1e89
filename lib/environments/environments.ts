import 'server-only'
import type { ApprovedRequest } from '#lib/client/approved-request.ts'
import type { ServiceClientOptions } from '#lib/client/client-options.ts'
import { inputFor, prepare, prepareBytes, type EndpointInput, type Prepared } from '#lib/client/prepare.ts'
import { type Called, createServiceClient, type ServiceClient } from '#lib/client/service-client.ts'
import { isServiceError, type ServiceError } from '#lib/client/service-error.ts'
import { contractProfile, type ServiceProfile, type ServiceConnection } from '#lib/client/service-profile.ts'
import { endpointRow, endpointText, type EndpointName } from '#lib/contract/endpoints.ts'
import { errorTable, isErrorCode } from '#lib/contract/errors.ts'
import { connectionSettings, consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError, type AppErrorCode } from '#lib/shared/app-error.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { firstFields, textIn } from '#lib/shared/json.ts'
import { currentRequestContext } from '#lib/shared/request-context.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { asSentence } from '#lib/shared/texts.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { isInBackground } from './background.ts'
import { noteDeviation } from './deviations.ts'
import { noteError, noteSuccess } from './health-record.ts'
import { measureServiceCall } from './metrics.ts'
import { isMissingEndpoint } from './missing-endpoint.ts'
import { isSlowButThere, noteDuration } from './process-health.ts'
import { refusedCredentials } from './refused-credentials.ts'
import { noteServiceCall } from './request-log.ts'

/** The service's `Retry-After` to this process, within reason: for operations by environment, for reads by endpoint. */
const retryAt = globalSingleton<Map<string, number>>('carddeskServiceRest', () => new Map())

const longestRestMs = { operations: 10 * minuteMs, read: minuteMs }

/** Milliseconds until the service accepts operations again, or the reads of an endpoint. */
export function msUntilRetry(environment: Environment, read?: EndpointName): number {
  return Math.max(0, (retryAt().get(restKey(environment, read)) ?? 0) - Date.now())
}

function setRetryAt(retryAfterMs: number | null, environment: Environment, read?: EndpointName): void {
  if (retryAfterMs === null) return
  const longestMs = longestRestMs[read ? 'read' : 'operations']
  retryAt().set(restKey(environment, read), Date.now() + Math.min(retryAfterMs, longestMs))
}

function restKey(environment: Environment, read: EndpointName | undefined): string {
  return read ? `${environment} ${read}` : environment
}

const clients = globalSingleton<Map<Environment, ServiceClient>>('carddeskServices', () => new Map())

/** Throws `NOT_CONNECTED` where no service is set for the environment. */
export function requireConnection(environment: Environment): ServiceConnection {
  const connection = consoleSettings().services[environment]
  if (connection) return connection
  const missing = connectionSettings[environment].join(', ')
  throw new AppError('NOT_CONNECTED', `The ${environment} environment is not connected. Set ${missing}.`)
}

/** The signing client of an environment. Throws `NOT_CONNECTED`. */
export function requireService(environment: Environment): ServiceClient {
  const cached = clients().get(environment)
  if (cached) return cached
  const client = createServiceClient({ ...requireConnection(environment), ...serviceHooks(environment) })
  clients().set(environment, client)
  return client
}

/** The hooks by which the console records an environment's requests. */
export function serviceHooks(environment: Environment) {
  return {
    onRequest: ({ durationMs }) => noteDuration(environment, durationMs),
    onCall: (call) => {
      measureServiceCall(environment, call)
      noteServiceCall(environment, call)
    },
    onDeviation: (deviation) => noteDeviation(environment, deviation),
  } satisfies Pick<ServiceClientOptions, 'onRequest' | 'onCall' | 'onDeviation'>
}

/** The names of an environment's service: the contract's unless configured otherwise. */
export function serviceProfile(environment: Environment): ServiceProfile {
  return consoleSettings().services[environment]?.profile ?? contractProfile
}

/** How long a person waits for a read; longer where the service is slow, and without a person. */
const readOptions = {
  usual: { attempts: 3, deadlineMs: 8 * secondMs },
  slow: { attempts: 2, deadlineMs: 20 * secondMs, attemptTimeoutMs: 20 * secondMs },
  background: { attempts: 3, deadlineMs: 40 * secondMs, attemptTimeoutMs: 25 * secondMs, isBackground: true },
}

/**
 * Calls an endpoint of the service. `fetchedAt` is when the request was sent; `excluded` counts records that were left out because
 * they cannot be used; with `hasTimeWithoutZone` its times may be up to 14 hours off. Throws an `AppError` whose message people may read, and the signal's reason where the caller has left.
 */
export async function callService<Name extends EndpointName>(
  environment: Environment,
  name: Name,
  input: EndpointInput<Name>,
): Promise<Called<Name> & { fetchedAt: Date }> {
  const client = requireService(environment)
  const heldMs = msUntilRetry(environment, name)
  if (heldMs > 0) throw new AppError('SERVICE_UNREACHABLE', limitedText(heldMs))
  const fetchedAt = new Date()
  const signal = currentRequestContext()?.signal
  try {
    const options = isInBackground() ? 'background' : isSlowButThere(environment) ? 'slow' : 'usual'
    const called = await client.call(name, input, { ...readOptions[options], signal })
    await noteSuccess(environment, name)
    return { ...called, fetchedAt }
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (error.code === 'CANCELLED') signal?.throwIfAborted()
    if (error.status === tooMany && endpointRow(name).method === 'GET') {
      setRetryAt(error.retryAfterMs, environment, name)
    }
    await noteError(environment, name, error)
    throw toAppError(environment, name, error)
  }
}

const tooMany = 429

function limitedText(ms: number): string {
  return `The card service accepts no more requests of this kind for ${Math.ceil(ms / secondMs)} s.`
}

/** A request with a body, ready to be journaled and sent. */
export type PreparedRequest = Prepared & { bytes: Uint8Array }

/** The service's response to an operation. `body` is the JSON it sent, whatever its form. */
export type Accepted = { response: unknown; body: unknown; isReadable: boolean; resultId: string | null }

/**
 * The result of sending an operation's bytes. `accepted` is set after any 2xx. `not-sent`: nothing was sent, so sending
 * again is safe. `unknown`: it may have taken effect; also where an error followed a lost attempt.
 */
export type Sent = {
  outcome: 'accepted' | 'refused' | 'not-sent' | 'unknown'
  status: number | null
  code: string | null
  message: string | null
  requestId: string | null
  accepted: Accepted | null
  attempts: number
  /** How long the service accepts no more requests, as it said. */
  retryAfterMs: number | null
}

/** The request of an operation, serialised and hashed once with the names of the environment's service. */
export function prepareRequest(environment: Environment, endpoint: EndpointName, body: object): PreparedRequest {
  const { bytes, ...prepared } = prepare(endpoint, inputFor(endpoint, { body }), serviceProfile(environment))
  if (!bytes) throw new TypeError(`${endpoint} takes no body`)
  return { ...prepared, bytes }
}

/** The request of an operation from the bytes that the journal stored. */
export function preparedFrom(environment: Environment, endpoint: EndpointName, bytes: Uint8Array): PreparedRequest {
  return { ...prepareBytes(endpoint, bytes, {}, serviceProfile(environment)), bytes }
}

/**
 * Sends an operation's request under its idempotency key. `wasSentBefore`: it may have taken effect before, so an error
 * response settles nothing. `attempts` bounds how often it is sent. Throws `NotApprovedError` where it is not what `approved`
 * names. With `isRepeatedWhenLimited: false` a 429 ends it: the person decides whether it is sent again.
 */
export async function sendPrepared(
  environment: Environment,
  prepared: PreparedRequest,
  options: {
    idempotencyKey: string
    wasSentBefore: boolean
    attempts?: number
    isRepeatedWhenLimited?: boolean
    approved?: ApprovedRequest | undefined
  },
): Promise<Sent> {
  const endpoint = prepared.name
  const sent = await requireService(environment).send(prepared, options)
  if (sent.outcome === 'accepted') {
    await noteSuccess(environment, endpoint)
    const { status, requestId, response, body: sentBody, unreadable, attempts } = sent
    const facts = { status, requestId, attempts, retryAfterMs: null }
    const error = errorIn(sentBody)
    if (error) {
      const outcome = options.wasSentBefore || sent.attempts > 1 ? 'unknown' : 'refused'
      return { outcome, ...error, ...facts, accepted: null }
    }
    const isReadable = unreadable === null || unreadable === 'empty'
    const accepted = { response, body: sentBody, isReadable, resultId: readId(response ?? sentBody) }
    return { outcome: 'accepted', code: null, message: null, ...facts, accepted }
  }
  const { status, code, message, requestId, attempts, retryAfterMs } = sent.error
  setRetryAt(retryAfterMs, environment)
  // A 404 after a lost attempt is of the record, which that attempt may have removed.
  if (sent.outcome !== 'unknown' || status !== 404) await noteError(environment, endpoint, sent.error)
  return {
    outcome: sent.outcome,
    status,
    code,
    message: safeMessage(message),
    requestId,
    accepted: null,
    attempts,
    retryAfterMs,
  }
}

/** The error in a 2xx: `success: false`, as of a batch, or a code of the table. Null where the response holds none. */
function errorIn(body: unknown): { code: string | null; message: string } | null {
  const { success, error, message, code } = firstFields(body)
  const isCode = typeof code === 'string'
  if (success !== false && !(isCode && isErrorCode(code))) return null
  const text = [error, message, firstFields(error).message].find((value) => typeof value === 'string' && value !== '')
  return { code: isCode ? code : null, message: safeMessage(String(text ?? 'The card service gave no reason.')) }
}

function safeMessage(message: string): string {
  return withoutCardNumbers(message).slice(0, 500)
}

function readId(response: unknown): string | null {
  const id = textIn(response, 'id')
  return id && id.length <= 200 ? id : null
}

/** Codes of the service that the console passes on as they are. */
const forwardedCodes: Partial<Record<string, AppErrorCode>> = {
  INVALID_PARAMETERS: 'INVALID_PARAMETERS',
  CARD_ACCOUNT_NOT_FOUND: 'CARD_ACCOUNT_NOT_FOUND',
  CARD_NOT_FOUND: 'CARD_NOT_FOUND',
  TRANSACTION_NOT_FOUND: 'TRANSACTION_NOT_FOUND',
  ACCOUNT_NOT_FOUND: 'ACCOUNT_NOT_FOUND',
  BANK_NOT_FOUND: 'BANK_NOT_FOUND',
  COUNTRY_NOT_FOUND: 'COUNTRY_NOT_FOUND',
  WEBHOOK_NOT_FOUND: 'WEBHOOK_NOT_FOUND',
  NETWORK_CARD_INVALID_BANK_ACCOUNT: 'NETWORK_CARD_INVALID_BANK_ACCOUNT',
}

function toAppError(environment: Environment, name: EndpointName, error: ServiceError): AppError {
  const { code, status, message, requestId, diagnosis, retryAfterMs } = error
  if (status === tooMany && retryAfterMs !== null)
    return new AppError('SERVICE_UNREACHABLE', limitedText(retryAfterMs), requestId)
  if (code && forwardedCodes[code]) return new AppError(forwardedCodes[code], message, requestId)
  const endpoint = endpointText(name)
  if (isMissingEndpoint(name, error)) {
    return new AppError('SERVICE_REFUSED', `${endpoint} isn’t available on this service (404).`, requestId)
  }
  if (status === 401) {
    const { happened, next } = refusedCredentials(environment, code, message)
    const todo = diagnosis === null ? next : `Tell an admin: ${diagnosis}`
    return new AppError('SERVICE_REFUSED', `${happened} ${todo}`, requestId)
  }
  const known = code && isErrorCode(code) ? `${errorTable[code].happened} ${errorTable[code].next}` : null
  const isRejected = status === 403 || code === 'REDIRECTED'
  // The service's own text may be as short as "Internal": it needs the endpoint and the status to make sense.
  const needsEndpoint = isRejected || (known === null && status !== null && status >= 400)
  const text = asSentence(needsEndpoint ? `${endpoint} (${status}): ${known ?? message}` : (known ?? message))
  if (status === null || status >= 500 || status === tooMany)
    return new AppError('SERVICE_UNREACHABLE', text, requestId)
  return new AppError('SERVICE_REFUSED', text, requestId)
}
