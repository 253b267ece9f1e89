import { Unreachable, type SentRequest, type Target } from './target.ts'

/** A delivery with the exact bytes and the signature that a webhook gets. */
export type SignedDelivery = { id: string; event: string; time: string; body: string; signature: string }

/** Calls the control plane. Throws an `Error` with its message where it refuses, `Unreachable` where it fails or doesn't respond. */
export async function callControl<Body>(
  target: Target,
  call: string,
  input: Parameters<Target['prepareControl']>[1] = {},
  signal?: AbortSignal,
): Promise<Body> {
  const request: SentRequest = target.prepareControl(call, input)
  const { status, message, body } = await target.send(request, { signal })
  if (status === 200) return body as Body
  const problem = `${call} of the control plane: ${message ?? (status === null ? 'no response' : `HTTP ${status}`)}.`
  throw status === null || status >= 500 ? new Unreachable(problem) : new Error(problem)
}
