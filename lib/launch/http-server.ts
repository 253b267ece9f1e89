import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { isIPv6, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { connectionHeader, connections } from '#lib/shared/connections.ts'
import { secondMs } from '#lib/shared/time.ts'
import { isForHelpDesk } from './demo-help-desk.ts'
import {
  closeUnlessReceived,
  createBodyLimits,
  earlyHeaders,
  isOfService,
  limitConnections,
  mostHeaderBytes,
  requestTimes,
  whenClosed,
  whenReceived,
} from './http-limits.ts'

/**
 * The HTTP server around Next. It knows of each request what a route handler cannot: see `connections()`. A demo responds
 * only to the machine's own names, so that a page on the internet whose name was made to point here (DNS rebinding) gets
 * nothing; and it shows its pages under one of them, since cookies belong to a name. Where people come by https
 * (`isSecure`), HSTS makes browsers stay with it.
 */
export function createHttpServer(
  handle: RequestListener,
  options: {
    demoUrl: string | null
    isSecure?: boolean
    helpDesk?: RequestListener | null
    tls?: Tls | null
    serviceHosts?: ServiceHosts | null
  },
): HttpServer {
  let isDraining = false
  const refuseBody = createBodyLimits()
  const bounds = { ...requestTimes, maxHeaderSize: mostHeaderBytes }
  const server = createPlainOrSecure(options.tls ?? null, bounds, (request, response) => {
    const target = request.url ?? ''
    const respond = (status: number, message: string, headers: Record<string, string> = {}) => {
      response.writeHead(status, { ...earlyHeaders, ...headers }).end(JSON.stringify({ message }))
    }
    const id = randomUUID()
    completeHead(request, response, id)
    if (options.isSecure) response.setHeader('strict-transport-security', strictTransport)
    if (!target.startsWith('/')) return respond(400, 'The request line has no path.')
    if (isDraining && !isOfService(target)) return respond(503, 'The console is stopping.', { connection: 'close' })
    if (options.demoUrl && !isLoopbackName(request.headers.host))
      return respond(421, `The demo is only at ${options.demoUrl} and this machine’s own names.`)
    if (options.serviceHosts && isElsewhere(request, options.serviceHosts))
      return respond(421, 'The console and the built-in service have host names of their own.')
    if (options.helpDesk && isForHelpDesk(request))
      return whenReceived(request, () => options.helpDesk?.(request, response))
    if (options.demoUrl && isPageByAddress(request)) {
      const location = `${options.demoUrl}${target}`
      return respond(307, `The page is at ${location}.`, { location })
    }
    if (isNoAction(request)) return respond(405, 'A page knows no such request.', { allow: 'GET, HEAD' })
    const rejected = refuseBody(request, response, isOfService(target))
    if (rejected) return respond(rejected.status, rejected.message, rejected.headers)
    request.headers[connectionHeader] = id
    connections().set(id, { remoteAddress: request.socket.remoteAddress ?? '', target, socket: request.socket })
    whenClosed(response, () => connections().delete(id))
    // Next redirects doubled slashes and refuses odd escapes before a handler sees them; the service reads `target` itself.
    const mount = /^\/service\/(v1|control)(?=[/?]|$)/.exec(target)
    if (mount) request.url = `${mount[0]}/-`
    if (!httpMethods.has(request.method ?? '')) {
      if (!mount) return respond(405, 'The console knows no such method.', { allow: 'GET, HEAD, POST' })
      // Next knows no other methods. To the service each of them is one that an address does not accept.
      request.method = 'PATCH'
    }
    if (isOfService(target)) handle(request, response)
    else whenReceived(request, () => handle(request, response))
  })
  const incomplete = limitConnections(server)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const hsts = options.isSecure ? [`strict-transport-security: ${strictTransport}`] : []
    const headers = Object.entries(earlyHeaders).map(([name, value]) => `${name}: ${value}`)
    const status = unreadable[error.code ?? ''] ?? '400 Bad Request'
    socket.end(
      [`HTTP/1.1 ${status}`, ...headers, ...hsts, 'content-length: 0', 'connection: close', '', ''].join('\r\n'),
    )
  })
  return {
    server,
    drain: async (timeoutMs) => {
      isDraining = true
      const deadline = Date.now() + timeoutMs
      const isBusy = () => [...connections().values()].some(({ target }) => !isOfService(target))
      while (isBusy() && Date.now() < deadline) await delay(25)
    },
    close: (timeoutMs) => close(server, incomplete, timeoutMs),
  }
}

/** The host name of the built-in service, and the one by which the console calls it on this machine. */
type ServiceHosts = { own: string; internal: string }

/** Whether a request is for the service under the name of the console, or the other way around. A load balancer may use either. */
function isElsewhere({ url = '', headers: { host = '' } }: IncomingMessage, { own, internal }: ServiceHosts): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  if (/^\/service(?=[/?]|$)/.test(url)) return name !== own && name !== internal
  return name === own && !/^\/api\/health(?=[/?]|$)/.test(url)
}

/** PEM of a certificate and its key. */
export type Tls = { cert: string; key: string }

/** A server that speaks https where there is a certificate, else http. */
export function createPlainOrSecure(
  tls: Tls | null,
  bounds: { headersTimeout: number; requestTimeout: number },
  handle: RequestListener,
): Server {
  if (!tls) return createServer(bounds, handle)
  return createSecureServer({ ...bounds, ...tls, handshakeTimeout: bounds.headersTimeout }, handle)
}

/** Browsers stay with https for a year, also at names below the console's. */
const strictTransport = 'max-age=31536000; includeSubDomains'

/** What Node could not read as a request; by default it responds without a header. */
const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

const httpMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** When a response's head is written, gives it `id` as its `x-request-id` where it has none. The audit log names it. */
function completeHead(request: IncomingMessage, response: ServerResponse, id: string): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  response.writeHead = (...head: unknown[]) => {
    closeUnlessReceived(request, response)
    if (!response.hasHeader('x-request-id')) response.setHeader('x-request-id', id)
    return writeHead(...head)
  }
}

export type HttpServer = {
  server: Server
  /**
   * Lets the console's running requests finish and takes no new ones. The built-in service continues to respond, since what
   * is running may be calling it.
   */
  drain: (timeoutMs: number) => Promise<void>
  /** Lets the requests that still run finish, ends those that do not, and frees the port. */
  close: (timeoutMs: number) => Promise<void>
}

/** A page is only read; what else is sent to one has to be a server action, except the form that signs out. Next would draw the page for it. */
function isNoAction({ method = '', url = '', headers }: IncomingMessage): boolean {
  if (!writingMethods.has(method) || /^\/(api|service|_next|sign-out)(?=[/?]|$)/.test(url)) return false
  const isForm = /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')
  return method !== 'POST' || (headers['next-action'] === undefined && !isForm)
}

const writingMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

function isLoopbackName(host = ''): boolean {
  return /^(([\w-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
}

function isPageByAddress({ method, url = '', headers: { host = '' } }: IncomingMessage): boolean {
  return method === 'GET' && /^(127\.|\[)/.test(host) && !/^\/(api|service|_next)\/|^\/[/\\]/.test(url)
}

/** Throws an `Error` with one line when the address cannot be had. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(reasons[error.code ?? '']?.(host, port) ?? error.message)),
    )
    server.listen(port, host, resolve)
  })
}

const reasons: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use by another program: stop it, or set PORT to another one.`,
  EACCES: (_host, port) => `Port ${port} may not be used by this user: set PORT to one above 1023.`,
  EADDRNOTAVAIL: (host) => `HOST ${host} is not an address of this machine.`,
  ENOTFOUND: (host) => `HOST ${host} is not known: there is no such name.`,
}

/** Where a process on this machine reaches the server: by https under a name, since certificates rarely have an address. */
export function originOf(host: string, port: number, isTls = false): string {
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
