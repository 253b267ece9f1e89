import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { callerAddress, networkOf } from '#lib/shared/peer-address.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** Options of `createServer`: every request has to arrive within this time. */
export const serverLimits = {
  headersTimeout: 10 * secondMs,
  requestTimeout: 15 * secondMs,
  connectionsCheckingInterval: secondMs,
  // Longer than the clients' idle time, so that clients close first and no request arrives on a closing connection.
  keepAliveTimeout: 65 * secondMs,
  // A page token of a service may have 8 kB, which a request has in its URL, its referrer and its router state.
  maxHeaderSize: 64 * kibibyte,
}

/** Headers of responses that are sent before Next or the service sees the request. */
export const earlyHeaders = {
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

export type Rejection = { status: number; message: string; headers?: Record<string, string> }

export function sendRejection(response: ServerResponse, { status, message, headers }: Rejection): void {
  response.writeHead(status, { ...earlyHeaders, ...headers }).end(earlyBody(status, message))
}

/** An error in the form of the interface. Its code is the name of the status, such as `URI_TOO_LONG`. */
export function earlyBody(status: number, message: string): string {
  return JSON.stringify({ code: STATUS_CODES[status]?.toUpperCase().replaceAll(' ', '_'), message })
}

export const busy = (message: string, retryAfterSeconds = 2): Rejection => ({
  status: 503,
  message: `${message} Try again in a moment.`,
  headers: { connection: 'close', 'retry-after': String(retryAfterSeconds) },
})

const mostConnections = 1000
/** From here on, each new connection ends one that waits for its peer. */
const crowded = 900
/** A response of which nothing is taken for so long is given up. The slowest download takes some of it sooner. */
const unreadMs = 2 * minuteMs

/**
 * Bounds the connections of a server. Connections that say nothing, do not finish what they send, or do not read what they
 * asked for make room for new ones, so that a flood of them shuts out no other caller. Returns those without a complete
 * request, the oldest first.
 */
export function limitConnections(
  server: Server,
  bounds = { most: mostConnections, crowded, unreadMs },
): ReadonlyMap<string, Socket> {
  server.maxConnections = bounds.most
  let open = 0
  /** Without a complete request, the longest first, by the peer: over TLS a request has another socket than its connection. */
  const incomplete = new Map<string, Socket>()
  /** To which a response is sent, the one that has taken none of it for the longest first. */
  const responding = new Set<Socket>()

  function makeRoom(): void {
    const unread = [...responding].filter(({ writableLength }) => writableLength > 0)
    // A flood is of one kind, and its own connections make room for it.
    const [first] = unread.length > incomplete.size ? unread : incomplete.values()
    first?.destroy()
  }

  server.on('connection', (socket: Socket) => {
    const peer = peerKey(socket)
    open += 1
    incomplete.set(peer, socket)
    socket.once('close', () => {
      open -= 1
      incomplete.delete(peer)
    })
    if (open > bounds.crowded) makeRoom()
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const peer = peerKey(socket)
    if (declaredBytes(request) === 0) incomplete.delete(peer)
    else request.once('end', () => incomplete.delete(peer))
    responding.add(socket)
    response.on('drain', () => responding.delete(socket) && responding.add(socket))
    response.setTimeout(bounds.unreadMs, () => {
      if (socket.writableLength > 0) socket.destroy()
    })
    response.once('close', () => {
      responding.delete(socket)
      if (!socket.destroyed) incomplete.set(peer, socket)
    })
  })
  return incomplete
}

function peerKey({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** The built-in service, and the receiver of its deliveries. */
export function isOfService(target: string): boolean {
  return target.startsWith('/service/') || target.startsWith('/api/webhooks/inbox/')
}

/**
 * How senders are distinguished: by who is known to have sent a request before its body is read (the id in a session's cookie,
 * the access key of a caller of the service), or by the address behind so many proxies.
 */
export type Senders = { knownSender: (request: IncomingMessage) => Promise<string | null>; trustedHops: number }

/** The sender of a request of nobody known. */
export function callerNetwork(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trustedHops: number,
): string {
  const forwardedFor = headers['x-forwarded-for']
  return networkOf(callerAddress(socket.remoteAddress ?? null, String(forwardedFor ?? '') || null, trustedHops))
}

/** Anybody may send a body up to here: a sign-in, a logout token, most calls and deliveries of a service. */
const smallBytes = 8 * kibibyte
/** The largest that a page accepts: a server action of 3 MB (next.config.mjs), and what its encoding adds. */
const largestPageBytes = 4 * mebibyte
/** The built-in service and the inbox read no more than this of a body. */
const largestServiceBytes = mebibyte

const shareSeconds = 5

const bodies = {
  /** Bytes beyond `smallBytes` of each body that arrive within `shareSeconds`: of a known sender, of an address, of all addresses. */
  share: { known: 64 * mebibyte, address: 4 * mebibyte, addresses: 8 * mebibyte },
  /** A sender who is not known and pauses for longer has given up. */
  pauseMs: 2 * secondMs,
}

const tooLarge: Rejection = { status: 413, message: 'The request is too large.' }
const tooSlow: Rejection = { status: 408, message: 'The request stopped arriving.' }

/**
 * Receives the bodies of requests, which then can be read as usual, and counts them as they arrive. The function returns why a
 * request is refused, or null. It never resolves where the sender goes away before: an upload that ends early is no
 * failure, and Next would log one.
 */
export function createReceiver(
  { knownSender, trustedHops }: Senders,
  { share, pauseMs } = bodies,
): (request: IncomingMessage) => Promise<Rejection | null> {
  const limit = (points: number) => new RateLimiterMemory({ points, duration: shareSeconds })
  const [ofKnown, ofAddress, ofAddresses] = [limit(share.known), limit(share.address), limit(share.addresses)]

  return async (request) => {
    const declared = declaredBytes(request)
    if (declared === 0) return null
    const isService = isOfService(request.url ?? '')
    // The service and the inbox refuse it in a form of their own.
    if (isService && declared !== Infinity && declared > largestServiceBytes) return null
    const sender = declared > smallBytes ? await knownSender(request) : null
    const most = isService ? largestServiceBytes : sender === null ? smallBytes : largestPageBytes
    if (declared !== Infinity && declared > most) return tooLarge

    const { promise, resolve } = Promise.withResolvers<Rejection | null>()
    const settle = (rejection: Rejection | null) => {
      clearTimeout(pause)
      request.off('readable', collect)
      // Once Node has noticed that nobody listens.
      setImmediate(() => resolve(rejection))
    }
    const pause = setTimeout(settle, sender === null ? pauseMs : serverLimits.requestTimeout, tooSlow)
    const count = (bytes: number) =>
      sender === null
        ? Promise.all([ofAddress.consume(callerNetwork(request, trustedHops), bytes), ofAddresses.consume('', bytes)])
        : ofKnown.consume(sender, bytes)
    const chunks: Buffer[] = []
    let received = 0
    const collect = () => {
      for (let chunk = request.read() as Buffer | null; chunk; chunk = request.read() as Buffer | null) {
        chunks.push(chunk)
        received += chunk.length
        const counted = Math.min(chunk.length, received - smallBytes)
        if (counted > 0) count(counted).catch(() => settle(busy('Too many uploads are being received.', shareSeconds)))
      }
      pause.refresh()
      if (!request.complete && received <= most) return
      request.unshift(Buffer.concat(chunks))
      // A body that was partly read is refused by `new Request`, which Next makes of it: this one is whole again.
      Object.defineProperty(request, 'readableDidRead', { value: false })
      settle(received > most && !isService ? tooLarge : null)
    }
    request.on('readable', collect).once('close', () => clearTimeout(pause))
    return promise
  }
}

/**
 * Ends the connection after a response to a large body that has not arrived: reading on only to throw it away costs as
 * much memory as keeping it.
 */
export function closeUnlessReceived(request: IncomingMessage, response: ServerResponse): void {
  if (!request.complete && declaredBytes(request) > 0) response.shouldKeepAlive = false
}

/** Infinity where a body is sent in chunks, without its length. */
function declaredBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Infinity
  return Number(headers['content-length'] ?? 0)
}
