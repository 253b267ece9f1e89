import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { signRequest } from '#lib/signing/request-token.ts'
import { logFailure } from '../desk/log.ts'
import { consoleSettings } from '../desk/settings.ts'

/** The control plane of the built-in service, and the key pair (PEM) that signs the console's calls of it. */
export type ControlPlane = { url: string; accessKey: string; privateKey: string }

/** The control plane of the built-in service; null for a real service, which has none. */
export function builtInControl(environment: Environment): ControlPlane | null {
  const service = consoleSettings().services[environment]
  if (environment !== 'sandbox' || process.env.BUILT_IN_SERVICE !== 'on' || !service) return null
  const { baseUrl, accessKey, privateKey } = service
  return { url: baseUrl.replace(/\/v1$/, '/control'), accessKey, privateKey }
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
  readonly code: string | null
  readonly requestId: string | null
  /** The control plane's message, such as `amount: must be at most 80 HKD`. */
  readonly reason: string | null
  constructor(status: number, refused: { code?: unknown; message?: unknown } | null, requestId: string | null) {
    super(`the control plane returned ${status}`)
    this.name = 'ControlRefused'
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
