import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { isIPv6, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { measureRequest } from '#lib/environments/metrics.ts'
import { connectionHeader, connections } from '#lib/shared/connections.ts'
import { logFailure } from '#lib/shared/log.ts'
import { toIpv4 } from '#lib/shared/peer-address.ts'
import { secondMs } from '#lib/shared/time.ts'
import { isForHelpDesk } from './demo-help-desk.ts'
import { type HeadOptions, headRejection, httpMethods } from './head-rejection.ts'
import {
  closeUnlessReceived,
  createReceiver,
  earlyBody,
  earlyHeaders,
  isOfService,
  limitConnections,
  sendRejection,
  type Senders,
  serverLimits,
} from './http-limits.ts'
import { createRotation } from './load-balancer-rotation.ts'
import { requestKind } from './request-kind.ts'

/**
 * The HTTP server around Next. It knows of each request what a route handler cannot: see `connections()`. A demo responds
 * only to the machine's own names, so that a page on the internet whose name was made to point here (DNS rebinding) gets
 * nothing; and it shows its pages under one of them, since cookies belong to a name. Where people come by https
 * (`isSecure`), HSTS makes browsers stay with it.
 */
export function createHttpServer(
  handle: RequestListener,
  options: HeadOptions & {
    isSecure?: boolean
    tls?: Tls | null
    senders?: Senders
    /** Next's development server has a websocket. Nothing else has: there a request for one is a request like any other. */
    hasWebsocket?: boolean
  },
): HttpServer {
  const { helpDesk, senders = strangersAlone, hasWebsocket = false } = options
  const bounds = { ...serverLimits, shouldUpgradeCallback: () => hasWebsocket }
  const receiveBody = createReceiver(senders)
  let isDraining = false
  const rotation = createRotation()
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!response.socket) await turnBehind(request, response)
    const target = request.url ?? ''
    const id = randomUUID()
    const startMs = performance.now()
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : null
      measureRequest(requestKind(request), status, performance.now() - startMs)
    })
    completeHead(request, response, id)
    if (options.isSecure) response.setHeader('strict-transport-security', strictTransport)
    const isStopping = isDraining ? !isOfService(target) : rotation.isLeft(target, request.socket.remoteAddress ?? '')
    if (senders.trustedHops === 0 && !isOfNext(request)) for (const name of forwardedNames) delete request.headers[name]
    const rejection = isStopping ? stopping : headRejection(request, options)
    if (rejection) return sendRejection(response, rejection)
    // No file is large, and Next never responds to a range that ends before it begins.
    delete request.headers.range
    request.headers[connectionHeader] = id
    connections().set(id, { remoteAddress: request.socket.remoteAddress ?? '', target, socket: request.socket })
    response.setMaxListeners(mostListeners).once('close', () => connections().delete(id))
    const bodyRejection = await receiveBody(request)
    if (bodyRejection) return sendRejection(response, bodyRejection)
    if (helpDesk && isForHelpDesk(request)) return helpDesk(request, response)
    // Next knows no other methods. To the service each of them is one that an address does not accept.
    if (!httpMethods.has(request.method ?? '')) request.method = 'PATCH'
    handle(request, response)
  }
  const server = createPlainOrSecure(options.tls ?? null, bounds, (request, response) => {
    respond(request, response).catch((error: unknown) => {
      logFailure(error, { while: 'responding to a request' })
      // Without a response it would hold its connection for ever.
      response.destroy()
    })
  })
  const incomplete = limitConnections(server)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const hsts = options.isSecure ? [`strict-transport-security: ${strictTransport}`] : []
    const headers = Object.entries(earlyHeaders).map(([name, value]) => `${name}: ${value}`)
    const status = unreadable[error.code ?? ''] ?? 400
    const body = earlyBody(status, 'The request could not be read.')
    const end = [`content-length: ${body.length}`, 'connection: close', '', body]
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, ...hsts, ...end].join('\r\n'))
  })
  return {
    server,
    leave: rotation.leave,
    drain: async (timeoutMs) => {
      isDraining = true
      const deadline = Date.now() + timeoutMs
      const isBusy = () => [...connections().values()].some(({ target }) => !isOfService(target))
      while (isBusy() && Date.now() < deadline) await delay(25)
    },
    close: (timeoutMs) => close(server, incomplete, timeoutMs),
  }
}

/** Connections with a request that waits for the response ahead of it. */
const waiting = new WeakSet<Socket>()

/**
 * Resolves once the response ahead on the connection is complete. A client that has its last byte may send its next request
 * while the file that it was read from is still being closed here. Two requests that wait end the connection: no
 * client sends such. Never resolves where the connection ends first, of which Node tells a waiting response nothing.
 */
async function turnBehind({ socket }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (waiting.has(socket)) socket.destroy()
  waiting.add(socket)
  await once(response, 'socket')
  waiting.delete(socket)
}

const stopping = { status: 503, message: 'The console is stopping.', headers: { connection: 'close' } }

const strangersAlone: Senders = { knownSender: async () => null, trustedHops: 0 }

/** Next compares the origin of a server action with the first of them, and believes each. */
const forwardedNames = ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port']

/** Next forwards a server action over loopback to the page that holds it, and names the host of its sender. No page can send this header. */
function isOfNext({ headers, socket }: IncomingMessage): boolean {
  return headers['x-action-forwarded'] === '1' && toIpv4(socket.remoteAddress ?? null) === '127.0.0.1'
}

/** Next adds up to eight for the end of a response, and with more than ten Node warns of a leak. */
const mostListeners = 20

/** PEM of a certificate and its key. */
export type Tls = { cert: string; key: string }

/** A server that speaks https where there is a certificate, else http. */
export function createPlainOrSecure(
  tls: Tls | null,
  bounds: ServerOptions & { headersTimeout: number },
  handle: RequestListener,
): Server {
  if (!tls) return createServer(bounds, handle)
  return createSecureServer({ ...bounds, ...tls, handshakeTimeout: bounds.headersTimeout }, handle)
}

/** Browsers stay with https for a year, also at names below the console's. */
const strictTransport = 'max-age=31536000; includeSubDomains'

/** Statuses for bytes that Node could not parse as a request, by its error; Node's own response has no header. */
const unreadable: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** When a response's head is written, gives it `id` as its `x-request-id` where it has none. The audit log names it. */
function completeHead(request: IncomingMessage, response: ServerResponse, id: string): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  response.writeHead = (...head: unknown[]) => {
    closeUnlessReceived(request, response)
    const headers = head.at(-1)
    const isNamed = typeof headers === 'object' && headers !== null && 'x-request-id' in headers
    // Node joins the headers of a call to others by checking each once more.
    if (!isNamed && !response.hasHeader('x-request-id')) response.setHeader('x-request-id', id)
    return writeHead(...head)
  }
}

export type HttpServer = {
  server: Server
  /** Fails the checks of a load balancer, and resolves once it sends requests elsewhere, after 10 s at the latest. */
  leave: () => Promise<void>
  /**
   * Lets the console's running requests finish and takes no new ones. The built-in service continues to respond, since what
   * is running may be calling it.
   */
  drain: (timeoutMs: number) => Promise<void>
  /** Lets the requests that still run finish, ends those that do not, and frees the port. */
  close: (timeoutMs: number) => Promise<void>
}

/** Throws an `Error` with one line, which names the setting, when the address cannot be had. */
export async function listen(server: Server, port: number, host: string, prefix: '' | 'METRICS_' = ''): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(reasons[error.code ?? '']?.(host, port, prefix) ?? error.message)),
    )
    server.listen(port, host, resolve)
  })
}

const reasons: Record<string, (host: string, port: number, prefix: string) => string> = {
  EADDRINUSE: (host, port, prefix) =>
    `Port ${port} on ${host} is in use by another program: stop it, or set ${prefix}PORT to another one.`,
  EACCES: (_host, port, prefix) => `Port ${port} may not be used by this user: set ${prefix}PORT to one above 1023.`,
  EADDRNOTAVAIL: (host, _port, prefix) => `${prefix}HOST ${host} is not an address of this machine.`,
  ENOTFOUND: (host, _port, prefix) => `${prefix}HOST ${host} is not known: there is no such name.`,
}

/** Where a process on this machine reaches the server: by https under a name, since certificates rarely have an address. */
export function listeningOrigin(host: string, port: number, isTls = false): string {
  if (isTls) return `https://${isAddressOfOwn(host) ? 'localhost' : host}:${port}`
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (isIPv6(host) ? `[${host}]` : host)
  return `http://${reachable}:${port}`
}

function isAddressOfOwn(host: string): boolean {
  return ['0.0.0.0', '127.0.0.1', '::', '::1'].includes(host)
}

/** For what is still arriving when the server stops. */
const arrivalMs = secondMs

async function close(server: Server, incomplete: ReadonlyMap<string, Socket>, timeoutMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  // A connection becomes idle when its request is done.
  const arrivedBy = Date.now() + arrivalMs
  const sweep = setInterval(() => {
    server.closeIdleConnections()
    // To Node a connection that has not sent its first request is not idle.
    if (Date.now() > arrivedBy) for (const socket of incomplete.values()) socket.destroy()
  }, 50)
  const timeout = new AbortController()
  await Promise.race([closed, delay(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined)])
  timeout.abort()
  clearInterval(sweep)
  server.closeAllConnections()
  await closed
}
