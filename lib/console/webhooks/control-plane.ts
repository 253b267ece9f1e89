import 'server-only'
import { secondMs } from '#lib/shared/time.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { signRequest } from '#lib/signing/request-token.ts'

/** The control plane of the built-in service, and the key pair (PEM) that signs the console's calls of it. */
export type ControlPlane = { url: string; accessKey: string; privateKey: string }

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
  { url, accessKey, privateKey }: ControlPlane,
  call: { path: `/${string}`; body?: object; patienceMs?: number },
): Promise<unknown> {
  const { path, body, patienceMs = 3 * secondMs } = call
  const method = body ? 'POST' : 'GET'
  const bytes = body ? Buffer.from(JSON.stringify(body)) : null
  const token = await signRequest({
    accessKey,
    privateKey: readPrivateKey(privateKey),
    method,
    uri: new URL(`${url}${path}`).pathname,
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
    signal: AbortSignal.timeout(patienceMs),
  })
  if (response.ok) return response.json()
  if (response.status >= 500) throw new Error(`the control plane answered ${response.status}`)
  const refused = (await response.json().catch(() => null)) as { code?: unknown } | null
  const code = typeof refused?.code === 'string' ? refused.code : null
  throw new ControlRefused(response.status, code, response.headers.get('x-request-id'))
}
