import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { contractSpelling, type ServiceProfile } from '#lib/client/service-profile.ts'
import { asFields, parseJson } from '#lib/shared/json.ts'
import { readPublicKey } from '#lib/signing/keys.ts'
import { verifyWebhook } from '#lib/signing/webhook-signature.ts'

/** One event that was delivered. Attempts at the same event count once, by its id. */
export type ReceivedEvent = {
  id: string
  event: string
  data: unknown
  time: string
  /** `invalid` where one of its attempts has a wrong one, `unchecked` where the service's public key isn't known. */
  signature: 'valid' | 'invalid' | 'unchecked'
  attempts: number
  /** Whether the receiver has responded with 200 to it. */
  accepted: boolean
}

/** How the service reaches the receiver: a loopback port by default, or a public URL that leads to a port of this machine. */
export type ReceiverOptions = { host?: string; port?: number; publicUrl?: string | null }

export type Receiver = {
  url: string
  /** The HTTP status of its responses from now on. */
  respondWith: (status: number) => void
  /** The accepted events, in the order of their acceptance, pings left out. */
  accepted: () => readonly ReceivedEvent[]
  counts: () => { attempts: number; refused: number; pings: number; invalidSignatures: number }
  /** Waits until something arrives or the time is over. */
  wait: (timeoutMs: number, signal?: AbortSignal) => Promise<void>
  close: () => Promise<void>
}

/** Starts an HTTP server that takes webhook deliveries and verifies their signatures. */
export async function openReceiver(
  { host = '127.0.0.1', port = 0, publicUrl = null }: ReceiverOptions,
  { profile, publicKeyPem }: { profile: ServiceProfile; publicKeyPem: string | null },
): Promise<Receiver> {
  const publicKey = publicKeyPem === null ? null : readPublicKey(publicKeyPem)
  const events = new Map<string, ReceivedEvent>()
  const accepted: ReceivedEvent[] = []
  const counts = { attempts: 0, refused: 0, pings: 0, invalidSignatures: 0 }
  const arrivals = new EventTarget()
  let status = 200

  const server = createServer(async (request, response) => {
    const respondsWith = status
    // Null where the sender has left.
    const bytes = await buffer(request).catch(() => null)
    if (bytes === null) return
    const header = request.headers[profile.headers.webhookSignature]
    const isValid =
      publicKey === null ? null : verifyWebhook(bytes, typeof header === 'string' ? header : null, publicKey)
    take(bytes.toString(), isValid === null ? 'unchecked' : isValid ? 'valid' : 'invalid', respondsWith === 200)
    response.writeHead(respondsWith).end()
    arrivals.dispatchEvent(new Event('arrival'))
  })

  function take(text: string, signature: ReceivedEvent['signature'], isAccepted: boolean): void {
    const delivery = parseDelivery(text)
    if (!delivery) return
    counts.attempts += 1
    if (!isAccepted) counts.refused += 1
    if (signature === 'invalid') counts.invalidSignatures += 1
    const event = contractSpelling(profile.events, delivery.event)
    if (event === 'ping') {
      counts.pings += 1
      return
    }
    const known = events.get(delivery.id) ?? { ...delivery, event, signature, attempts: 0, accepted: false }
    events.set(delivery.id, known)
    known.attempts += 1
    if (signature === 'invalid') known.signature = 'invalid'
    if (isAccepted && !known.accepted) {
      known.accepted = true
      accepted.push(known)
    }
  }

  server.listen(port, host)
  await Promise.race([
    once(server, 'listening'),
    once(server, 'error').then(([error]) => Promise.reject(error as Error)),
  ])
  return {
    url: publicUrl ?? `http://${host}:${(server.address() as AddressInfo).port}/`,
    respondWith: (next) => {
      status = next
    },
    accepted: () => accepted,
    counts: () => ({ ...counts }),
    async wait(timeoutMs, signal) {
      const limit = AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs)))
      const ended = signal ? AbortSignal.any([limit, signal]) : limit
      if (ended.aborted) return
      await once(arrivals, 'arrival', { signal: ended }).catch(() => undefined)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function parseDelivery(text: string): { id: string; event: string; data: unknown; time: string } | null {
  const { id, event, data, time } = asFields(parseJson(text))
  return typeof id === 'string' && typeof event === 'string' ? { id, event, data, time: String(time) } : null
}
