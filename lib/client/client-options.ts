import type { KeyObject } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { withoutTrailingSlashes } from '#lib/shared/texts.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import type { CircuitBreakerSettings, RetryBudgetSettings } from './circuit-breaker.ts'
import type { Difference } from './parse-response.ts'
import { contractProfile, type ServiceProfile } from './service-profile.ts'
import type { TransportSettings } from './transport.ts'

/** One request that was tried, for a request log and the service's health: no body, no token. `path` is below the base address. */
export type RequestRecord = {
  method: 'GET' | 'POST'
  path: string
  status: number | null
  durationMs: number
  requestId: string | null
  attempt: number
  code: string | null
}

/** One call with all its attempts, for a request log. Bodies are as they went over the wire, so the log has to redact them. */
export type CallRecord = {
  name: EndpointName
  method: 'GET' | 'POST'
  path: string
  idempotencyKey: string | null
  isBackground: boolean
  bytes: Uint8Array | null
  /** Status of the last attempt; null where no response came. */
  status: number | null
  code: string | null
  requestId: string | null
  text: string | null
  attempts: number
  /** Duration of all attempts with the pauses between them. */
  durationMs: number
}

/** Where a response differs from the contract: see `Difference`. */
export type Deviation = {
  name: EndpointName
  requestId: string | null
  differences: readonly Difference[]
  unknownFields: readonly string[]
}

type RetrySettings = {
  /** Requests of one call at most, the first one included. */
  attempts: number
  /** Full jitter: a pause is random between 0 and `baseMs` × 2ⁿ, at most `maximumMs`. */
  baseMs: number
  maximumMs: number
  /** For one request, from signing to the last byte of its response. */
  attemptTimeoutMs: number
  /** For a call with all its attempts and pauses; a pause that would end later is not started. */
  deadlineMs: number
}

/** Time and chance, so that tests can decide them. `wallMs` is Unix time, `monotonicMs` never goes back. */
type Surroundings = {
  wallMs: () => number
  monotonicMs: () => number
  random: () => number
  pause: (durationMs: number, signal: AbortSignal | undefined) => Promise<void>
}

export type ServiceClientSettings = {
  origin: string
  basePath: string
  accessKey: string
  privateKey: KeyObject | null
  retry: RetrySettings
  retryBudget: RetryBudgetSettings
  circuitBreaker: CircuitBreakerSettings
  transport: TransportSettings
  /** Names in which the service differs from the contract. */
  profile: ServiceProfile
  onRequest: (record: RequestRecord) => void
  onCall: (record: CallRecord) => void
  onDeviation: (deviation: Deviation) => void
  surroundings: Surroundings
}

type Groups = Pick<ServiceClientSettings, 'retry' | 'retryBudget' | 'circuitBreaker' | 'transport' | 'surroundings'>
type Hooks = Pick<ServiceClientSettings, 'onRequest' | 'onCall' | 'onDeviation'>

export type ServiceClientOptions = {
  /** Ends with the version segment, such as `https://service.example/v1`. */
  baseUrl: string
  accessKey: string
  /** PEM, or a key that was read before; null: the access key alone (HTTP Basic). */
  privateKey: string | KeyObject | null
  profile?: ServiceProfile | undefined
} & Partial<Hooks> & { [Group in keyof Groups]?: Partial<Groups[Group]> }

const mebibyte = 1024 * 1024

/** The settings with their defaults. Throws `TypeError` for a base address or key that cannot be used. */
export function toClientSettings(options: ServiceClientOptions): ServiceClientSettings {
  const { origin, basePath } = baseAddress(options.baseUrl)
  return {
    origin,
    basePath,
    accessKey: options.accessKey,
    privateKey: typeof options.privateKey === 'string' ? readPrivateKey(options.privateKey) : options.privateKey,
    retry: {
      attempts: 4,
      baseMs: 150,
      maximumMs: 2000,
      attemptTimeoutMs: 10_000,
      deadlineMs: 20_000,
      ...options.retry,
    },
    retryBudget: { share: 0.1, floor: 10, windowMs: 10_000, ...options.retryBudget },
    circuitBreaker: {
      windowMs: 10_000,
      minimumFailures: 10,
      failureShare: 0.5,
      openMs: 2000,
      ...options.circuitBreaker,
    },
    transport: {
      connections: 64,
      connectTimeoutMs: 3000,
      // Each request has a limit of its own, which may be longer than usual.
      headersTimeoutMs: 60_000,
      bodyTimeoutMs: 5000,
      maximumResponseBytes: 10 * mebibyte,
      ...options.transport,
    },
    profile: options.profile ?? contractProfile,
    onRequest: options.onRequest ?? (() => undefined),
    onCall: options.onCall ?? (() => undefined),
    onDeviation: options.onDeviation ?? (() => undefined),
    surroundings: {
      wallMs: () => Date.now(),
      monotonicMs: () => performance.now(),
      random: () => Math.random(),
      pause: (durationMs, signal) => wait(durationMs, undefined, { signal }),
      ...options.surroundings,
    },
  }
}

function baseAddress(text: string): { origin: string; basePath: string } {
  const url = URL.parse(text)
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password
  if (!isPlain || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new TypeError('The base address of the service must be an http or https address without query or credentials')
  }
  return { origin: url.origin, basePath: withoutTrailingSlashes(url.pathname) }
}

/** Calls a hook. One that throws must not turn a received response into an unknown outcome. */
export function notify<Event>(hook: (event: Event) => void, event: Event): void {
  try {
    hook(event)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
