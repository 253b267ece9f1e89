import 'server-only'
import { secondMs } from '#lib/shared/time.ts'

/** The control plane of the built-in service and the key it takes. */
export type ControlPlane = { url: string; accessKey: string }

/** The control plane refused a call, with a code of the interface. */
export class ControlRefused extends Error {
  readonly code: string | null
  readonly requestId: string | null
  constructor(status: number, code: string | null, requestId: string | null) {
    super(`the control plane answered ${status}`)
    this.name = 'ControlRefused'
    this.code = code
    this.requestId = requestId
  }
}

/** Calls the control plane. Throws `ControlRefused` where it answers with a refusal, any other error where it does not answer. */
export async function callControlPlane(
  { url, accessKey }: ControlPlane,
  call: { path: `/${string}`; body?: object; patienceMs?: number },
): Promise<unknown> {
  const { path, body, patienceMs = 3 * secondMs } = call
  const response = await fetch(`${url}${path}`, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: {
      authorization: `Basic ${Buffer.from(`${accessKey}:`).toString('base64')}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    redirect: 'error',
    cache: 'no-store',
    signal: AbortSignal.timeout(patienceMs),
  })
  if (response.ok) return response.json()
  if (response.status >= 500) throw new Error(`the control plane answered ${response.status}`)
  const refused = (await response.json().catch(() => null)) as { code?: unknown } | null
  const code = typeof refused?.code === 'string' ? refused.code : null
  throw new ControlRefused(response.status, code, response.headers.get('x-request-id'))
}
