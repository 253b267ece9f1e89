import { request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { webhookSignatureHeader } from '#lib/contract/events.ts'

/** Result of one delivery to a receiver; `status` is null where it did not respond. */
export type Forwarded = { status: number | null; durationMs: number; problem: string | null }

/** The time that the service gives a receiver. */
const responseTimeoutMs = 15_000

/** Sends a delivery to a receiver as the service does. `signature` null leaves the header out. */
export async function forward(
  url: string,
  { body, signature }: { body: string; signature: string | null },
  timeoutMs = responseTimeoutMs,
): Promise<Forwarded> {
  const startMs = performance.now()
  const done = (status: number | null, problem: string | null) => ({
    status,
    problem,
    durationMs: Math.round(performance.now() - startMs),
  })
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: makeHeaders(signature),
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return done(response.status, null)
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: Error }
    return done(null, name === 'TimeoutError' ? `no response in ${timeoutMs / 1000} s` : (cause?.message ?? message))
  }
}

function makeHeaders(signature: string | null): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Carddesk-Webhooks/1',
    ...(signature === null ? {} : { [webhookSignatureHeader]: signature }),
  }
}

/** Sends a delivery in pieces with a pause before each but the first. Where `isTruncated`, the connection breaks off before the last one. */
export async function forwardInPieces(
  url: string,
  { body, signature }: { body: string; signature: string },
  { pausesMs, isTruncated, timeoutMs }: { pausesMs: readonly number[]; isTruncated: boolean; timeoutMs: number },
): Promise<number | null> {
  const bytes = Buffer.from(body)
  const open = url.startsWith('https:') ? requestByHttps : requestByHttp
  const sending = open(url, {
    method: 'POST',
    headers: { ...makeHeaders(signature), 'content-length': bytes.length },
    signal: AbortSignal.timeout(timeoutMs),
  })
  const responded = new Promise<number | null>((resolve) => {
    sending.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? null)
    })
    sending.once('error', () => resolve(null))
    sending.once('close', () => resolve(null))
  })
  const size = Math.ceil(bytes.length / (pausesMs.length + 1))
  for (const [index, pauseMs] of [0, ...pausesMs].entries()) {
    if (index > 0) await delay(pauseMs)
    if (sending.destroyed) break
    if (isTruncated && index === pausesMs.length) sending.destroy()
    else sending.write(bytes.subarray(index * size, (index + 1) * size))
  }
  sending.end()
  return responded
}
