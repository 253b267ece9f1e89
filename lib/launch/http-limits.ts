import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createSlots } from '#lib/db/slots.ts'
import { secondMs } from '#lib/shared/time.ts'

const mebibyte = 1024 * 1024

/** Options of `createServer`: every request has to arrive within this time. */
export const requestTimes = {
  headersTimeout: 10 * secondMs,
  requestTimeout: 15 * secondMs,
  connectionsCheckingInterval: secondMs,
  // Longer than the clients' idle time, so that clients close first and no request arrives on a closing connection.
  keepAliveTimeout: 65 * secondMs,
}

/** A page token of a service may have 8 kB, which a request has in its URL, its referrer and its router state, encoded. */
export const mostHeaderBytes = 64 * 1024

/** Of responses that are sent before Next or the service sees the request. */
export const earlyHeaders = {
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

const atClose = new WeakMap<ServerResponse, (() => void)[]>()

/**
 * Calls `run` when a response is over, sent or not. All of them share one listener: Next adds up to eight of its own, and with
 * more than ten Node warns of a leak.
 */
export function whenClosed(response: ServerResponse, run: () => void): void {
  const existing = atClose.get(response)
  if (existing) return void existing.push(run)
  const runs = [run]
  atClose.set(response, runs)
  response.once('close', () => {
    for (const each of runs) each()
  })
}

const mostConnections = 1000
/** From here on, each new connection ends the oldest one that has no complete request. */
const crowded = 900

/**
 * Bounds the connections of a server. Connections that say nothing, or do not finish what they send, make room for new
 * ones, so that a flood of them shuts out no other caller. Returns these connections, the oldest first.
 */
export function limitConnections(
  server: Server,
  bounds = { most: mostConnections, crowded },
): ReadonlyMap<string, Socket> {
  server.maxConnections = bounds.most
  let open = 0
  /** Without a complete request, the longest first, by the peer: over TLS a request has another socket than its connection. */
  const incomplete = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    open += 1
    incomplete.set(peer, socket)
    socket.once('close', () => {
      open -= 1
      incomplete.delete(peer)
    })
    const [oldest] = incomplete.values()
    if (open > bounds.crowded) oldest?.destroy()
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const peer = peerOf(socket)
    if (declaredBytes(request) === 0) incomplete.delete(peer)
    else request.once('end', () => incomplete.delete(peer))
    whenClosed(response, () => {
      if (!socket.destroyed) incomplete.set(peer, socket)
    })
  })
  return incomplete
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** A body up to here always fits: its sender may be anyone. */
const smallBytes = 8 * 1024
/** The largest that a page accepts: a server action of 3 MB (next.config.mjs), and what its encoding adds. */
const largestPageBytes = 4 * mebibyte
/** The built-in service and the inbox read no more than this of a body. */
const largestServiceBytes = mebibyte
/**
 * All larger bodies together that are in memory at the same time, as declared. Those of the service and the inbox, which anyone
 * may send, are copied on their way to a handler, and rarely have more than some kilobytes.
 */
const largeBytesAtOnce = { page: 12 * mebibyte, service: 4 * mebibyte }

export type BodyError = { status: 413 | 503; message: string; headers: Record<string, string> }

/**
 * Decides by its headers whether a request's body may be read. The larger bodies that are accepted count until their
 * response is out, so a flood of uploads never takes more memory than `largeBytesAtOnce`. A body without its length counts as
 * the largest: Next sends one to itself when it forwards a server action to the page that has it.
 */
export function createBodyLimits(
  atOnce = largeBytesAtOnce,
): (request: IncomingMessage, response: ServerResponse, isOfService: boolean) => BodyError | null {
  const accepted = { page: 0, service: 0 }
  return (request, response, isOfService) => {
    const declared = declaredBytes(request)
    if (declared <= smallBytes) return null
    if (!isOfService && declared !== Infinity && declared > largestPageBytes) return rejections.tooLarge
    const bytes = Math.min(declared, isOfService ? largestServiceBytes : largestPageBytes)
    const kind = isOfService ? 'service' : 'page'
    if (accepted[kind] + bytes > atOnce[kind]) return rejections.busy
    accepted[kind] += bytes
    whenClosed(response, () => (accepted[kind] -= bytes))
    return null
  }
}

const rejections = {
  tooLarge: { status: 413, message: 'The request is too large.', headers: { connection: 'close' } },
  busy: {
    status: 503,
    message: 'Too many uploads are being received. Try again in a moment.',
    headers: { connection: 'close', 'retry-after': '2' },
  },
} as const satisfies Record<string, BodyError>

/** The built-in service, and the receiver of its deliveries. */
export function isOfService(target: string): boolean {
  return target.startsWith('/service/') || target.startsWith('/api/webhooks/inbox/')
}

/** Of the requests without a session: each page that Next draws for them takes memory and queries of the database. */
const strangers = { atOnce: 4, waiting: 100, waitMs: 5 * secondMs }

/**
 * Hands requests on to `handle`: those with a session's cookie at once, of all others a few at a time. The next ones wait for
 * a turn, and beyond that a request gets 503. So a flood of small requests takes little memory and leaves connections of the
 * database to staff. Only the console's requests wait, its health checks excepted.
 */
export function limitStrangers(
  handle: RequestListener,
  isSignedIn: (request: IncomingMessage) => Promise<boolean>,
  { atOnce, waiting, waitMs } = strangers,
): RequestListener {
  const turns = () =>
    createSlots(atOnce, { timeoutMs: waitMs, mostWaiting: waiting, onTimeout: () => new Error('busy') })
  const turnsOf = { whole: turns(), chunked: turns() }
  const handleInTurn = async (request: IncomingMessage, response: ServerResponse) => {
    if (await isSignedIn(request)) return handle(request, response)
    const left = new AbortController()
    whenClosed(response, () => left.abort())
    // A body in chunks may still be arriving while the request has its turn: slow senders only keep each other waiting.
    const kind = declaredBytes(request) === Infinity ? 'chunked' : 'whole'
    const endTurn = await turnsOf[kind].take(left.signal).catch(() => null)
    if (!endTurn) return response.destroyed ? undefined : respondBusy(response)
    whenClosed(response, endTurn)
    handle(request, response)
  }
  return (request, response) => {
    const { url = '' } = request
    if (isOfService(url) || /^\/api\/health(?=[/?]|$)/.test(url)) handle(request, response)
    else void handleInTurn(request, response)
  }
}

function respondBusy(response: ServerResponse): void {
  response
    .writeHead(503, { ...earlyHeaders, 'retry-after': '2', connection: 'close' })
    .end(JSON.stringify({ message: 'Too many requests without a session. Try again in a moment.' }))
}

/**
 * Ends the connection after a response to a large body that has not arrived: reading on only to throw it away costs as
 * much memory as keeping it.
 */
export function closeUnlessReceived(request: IncomingMessage, response: ServerResponse): void {
  if (!request.complete && declaredBytes(request) > smallBytes) response.shouldKeepAlive = false
}

/**
 * Calls `proceed` once the whole body of a request has arrived, which then can be read as usual. Never calls it where
 * the sender goes away before: an upload that ends early is no failure, and Next would log one.
 */
export function whenReceived(request: IncomingMessage, proceed: () => void): void {
  const declared = declaredBytes(request)
  if (declared === 0 || declared === Infinity) return proceed()
  const chunks: Buffer[] = []
  let received = 0
  const collect = () => {
    for (let chunk = request.read() as Buffer | null; chunk; chunk = request.read() as Buffer | null) {
      chunks.push(chunk)
      received += chunk.length
    }
    if (received < declared) return
    request.off('readable', collect)
    request.unshift(Buffer.concat(chunks))
    // A body that was partly read is refused by `new Request`, which Next makes of it: this one is whole again.
    Object.defineProperty(request, 'readableDidRead', { value: false })
    setImmediate(proceed)
  }
  request.on('readable', collect)
}

/** Infinity where a body is sent in chunks, without its length. */
function declaredBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Infinity
  return Number(headers['content-length'] ?? 0)
}
