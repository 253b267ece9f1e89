import 'server-only'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs, secondMs } from '#lib/shared/time.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { signRequest } from '#lib/signing/request-token.ts'
import { requireService } from './environments.ts'
import type { ServiceClock } from './types.ts'

/** The control plane of the built-in service, and the key pair (PEM) that signs the console's calls of it. */
export type ControlPlane = { url: string; accessKey: string; privateKey: string }

/** The control plane of the built-in service, or of a sandbox of its own; null for a real service, which has none. */
export function builtInControl(environment: Environment, sandbox: string | null = null): ControlPlane | null {
  const service = consoleSettings().services[environment]
  if (environment !== 'sandbox' || process.env.BUILT_IN_SERVICE !== 'on' || !service?.privateKey) return null
  const { baseUrl, accessKey, privateKey } = service
  return { url: baseUrlIn(baseUrl, sandbox).replace(/\/v1$/, '/control'), accessKey, privateKey }
}

/** The base URL of the built-in service's interface in a sandbox of its own; its own one for null. */
export function baseUrlIn(baseUrl: string, sandbox: string | null): string {
  return sandbox === null ? baseUrl : baseUrl.replace(/\/v1$/, `/sandboxes/${sandbox}/v1`)
}

/**
 * Whether a request that creates a record can be repeated under its idempotency key without a second effect. Only the
 * built-in service's control plane tells: what a real service does with the key of one endpoint says nothing of another.
 */
export async function honoursKeys(environment: Environment): Promise<boolean> {
  const control = builtInControl(environment)
  if (!control) return false
  try {
    const modes = (await callControlPlane(control, { path: '/modes' })) as { ignoreIdempotencyKeys?: unknown }
    return modes.ignoreIdempotencyKeys === false
  } catch (error) {
    logFailure(error, { while: 'reading the modes of the sandbox' })
    return false
  }
}

/** The control plane refused a call, with a code of the interface. */
export class ControlRefused extends Error {
  readonly status: number
  readonly code: string | null
  readonly requestId: string | null
  /** The control plane's message, such as `amount: must be at most 80 HKD`. */
  readonly reason: string | null
  constructor(status: number, refused: { code?: unknown; message?: unknown } | null, requestId: string | null) {
    super(`the control plane returned ${status}`)
    this.name = 'ControlRefused'
    this.status = status
    this.code = typeof refused?.code === 'string' ? refused.code : null
    this.reason = typeof refused?.message === 'string' ? refused.message : null
    this.requestId = requestId
  }
}

/** Calls the control plane. Throws `ControlRefused` for an error response, any other error where it does not respond. */
export async function callControlPlane(
  { url, accessKey, privateKey }: ControlPlane,
  call: { path: `/${string}`; method?: 'GET' | 'POST' | 'DELETE'; body?: object; timeoutMs?: number },
): Promise<unknown> {
  const { path, body, timeoutMs = 3 * secondMs } = call
  const method = call.method ?? (body ? 'POST' : 'GET')
  const { pathname, search } = new URL(`${url}${path}`)
  const bytes = body ? Buffer.from(JSON.stringify(body)) : null
  const token = await signRequest({
    accessKey,
    privateKey: readPrivateKey(privateKey),
    method,
    uri: `${pathname}${search}`,
    body: bytes,
    now: Date.now() / 1000,
  })
  const response = await fetch(`${url}${path}`, {
    method,
    body: bytes,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    redirect: 'error',
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.ok) return response.json()
  if (response.status >= 500) throw new Error(`the control plane returned ${response.status}`)
  const refused = (await response.json().catch(() => null)) as { code?: unknown; message?: unknown } | null
  throw new ControlRefused(response.status, refused, response.headers.get('x-request-id'))
}

const newest = globalSingleton<Map<Environment, number>>('carddeskNewestTimes', () => new Map())

/** A time further ahead of this clock is an error of the service, not its clock. */
const aheadAtMostMs = 366 * dayMs

/** Remembers a time that the service wrote: its clock cannot be behind it. */
export function noteServiceTime(environment: Environment, time: Date | null | undefined): void {
  if (!time || time.getTime() > Date.now() + aheadAtMostMs) return
  newest().set(environment, Math.max(newest().get(environment) ?? 0, time.getTime()))
}

/** Resets the newest time after the clock was set back, as a sandbox's is by a reset. */
export function forgetServiceTime(environment: Environment): void {
  newest().delete(environment)
}

export type ClockReading = { serviceAt: Date; source: ServiceClock['source'] }

/**
 * The service's clock. The built-in service's control plane has it, which no real service has; of any other it is
 * the date of its responses. A sandbox's clock may have been moved without them: it is never behind the newest time that it wrote.
 */
export async function readServiceClock(environment: Environment): Promise<ClockReading> {
  const control = builtInControl(environment)
  if (control) {
    try {
      return { serviceAt: await readControlClock(control), source: 'clock' }
    } catch (error) {
      logFailure(error, { while: 'reading the sandbox clock' })
    }
  }
  const offsetMs = requireService(environment).clockOffsetMs()
  const responsesMs = Date.now() + (offsetMs ?? 0)
  const isMovable = environment === 'sandbox' || offsetMs === null
  const newestMs = isMovable ? (newest().get(environment) ?? 0) : 0
  return newestMs > responsesMs + secondMs
    ? { serviceAt: new Date(newestMs), source: 'times' }
    : { serviceAt: new Date(responsesMs), source: 'responses' }
}

/**
 * Whether the service is the built-in one: it can be steered through its control plane, which alone knows the time
 * once the clock was moved.
 */
export function isBuiltIn(environment: Environment): boolean {
  return builtInControl(environment) !== null
}

/** The clock by which the service determines the age of an idempotency key; null where it is unknown at the moment. */
export async function readIdempotencyClock(environment: Environment): Promise<Date | null> {
  const { serviceAt, source } = await readServiceClock(environment)
  return isBuiltIn(environment) && source !== 'clock' ? null : serviceAt
}

async function readControlClock(control: ControlPlane): Promise<Date> {
  const { now } = (await callControlPlane(control, { path: '/clock' })) as { now?: string }
  const serviceAt = new Date(now ?? Number.NaN)
  if (Number.isNaN(serviceAt.getTime())) throw new Error('the control plane returned no time')
  return serviceAt
}

/** The service's clock now, for countdowns that have to follow it. */
export async function readServiceClockForScreen(environment: Environment): Promise<ServiceClock> {
  const { serviceAt, source } = await readServiceClock(environment)
  return { serviceNowMs: serviceAt.getTime(), source }
}
