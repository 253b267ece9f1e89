import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sendRaw } from '#lib/client/raw-request.ts'
import { metrics } from '#lib/environments/metrics.ts'
import { connectionHeader, findConnection, connections } from '#lib/shared/connections.ts'
import { testCertificate } from '#lib/shared/testing/certificate.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import { createHttpServer, listen, listeningOrigin, type HttpServer } from './http-server.ts'

type Options = Partial<Parameters<typeof createHttpServer>[1]>

async function serve(
  handle: RequestListener,
  demoUrl: string | null = null,
  options: Options = {},
): Promise<HttpServer & { port: number }> {
  const http = createHttpServer(handle, { demoUrl, ...options })
  await listen(http.server, 0, '127.0.0.1')
  onTestFinished(() => http.close(0))
  return { ...http, port: (http.server.address() as AddressInfo).port }
}

/** Sends the bytes as they are and reads until the server closes. */
async function send(port: number, ...lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const reportConnection: RequestListener = (request, response) => {
  const connection = findConnection(new Headers({ [connectionHeader]: String(request.headers[connectionHeader]) }))
  response.end(JSON.stringify({ url: request.url, target: connection?.target, from: connection?.remoteAddress }))
}

test.each([
  '/service/v1//ping?a=%zz',
  '/service/v1/a%2Fb/',
  '/service/sandboxes/5d0c7e1f9a3b2c48//v1/ping?a=%zz',
  '/sandbox/fees?page=2',
])('passes on the request target %s exactly', async (target) => {
  const { port } = await serve(reportConnection)
  const response = await send(port, `GET ${target} HTTP/1.1`, 'Host: x')
  expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toEqual({ url: target, target, from: '127.0.0.1' })
})

test('every response has a request id, its own or the handler’s', async () => {
  const { port } = await serve((request, response) => {
    if (request.url === '/named') response.setHeader('X-Request-Id', 'named')
    if (request.url === '/head') response.writeHead(200, { 'x-request-id': 'head' })
    response.end()
  })
  for (const [path, id] of [
    ['/plain', /^[0-9a-f-]{36}$/],
    ['/named', /^named$/],
    ['/head', /^head$/],
  ] as const) {
    const ids = [...(await send(port, `GET ${path} HTTP/1.1`, 'Host: x')).matchAll(/^x-request-id: (.*)\r$/gim)]
    expect(ids).toEqual([expect.objectContaining({ 1: expect.stringMatching(id) })])
  }
})

test.each([
  ['TRACE', '/service/v1/ping', 'PATCH'],
  ['PROPFIND', '/service/control/clock', 'PATCH'],
  ['DELETE', '/service/v1/ping', 'DELETE'],
])('to the service %s %s is a method that Next hands on: %s', async (method, target, requested) => {
  const { port } = await serve((request, response) => void response.end(`${request.method}`))
  expect(await send(port, `${method} ${target} HTTP/1.1`, 'Host: x')).toMatch(new RegExp(`\r\n\r\n${requested}$`))
})

test('a request for another protocol is a request like any other', async () => {
  const { port, server } = await serve(reportConnection)
  // Next listens for these, and takes them on without any of the server's bounds.
  let upgrades = 0
  server.on('upgrade', (_, socket) => {
    upgrades += 1
    socket.destroy()
  })
  const headers = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket']
  expect(await send(port, 'GET /sandbox HTTP/1.1', ...headers)).toMatch(/^HTTP\/1.1 200 /)
  expect(await send(port, `GET /sandbox?${'a&'.repeat(300)} HTTP/1.1`, ...headers)).toMatch(/^HTTP\/1.1 414 /)
  expect(upgrades).toBe(0)
})

test.each(['/sandbox/%zz', '/api/sandbox/fees/%c0%ae', '/%'])(
  'the path %s has no meaning and gets 400',
  async (path) => {
    const { port } = await serve(reportConnection)
    expect(await send(port, `GET ${path} HTTP/1.1`, 'Host: x')).toMatch(/^HTTP\/1.1 400 /)
    expect(await send(port, `GET /sandbox?a=${path} HTTP/1.1`, 'Host: x')).toMatch(/^HTTP\/1.1 200 /)
  },
)

test('a page returns 405 to a method that Next does not know', async () => {
  const { port } = await serve(reportConnection)
  expect(await send(port, 'TRACE /sandbox HTTP/1.1', 'Host: x')).toMatch(/^HTTP\/1.1 405 .*\r\nallow: GET/s)
})

test.each([
  ['POST', 'x-none: 1', 405],
  ['POST', 'Content-Type: application/x-www-form-urlencoded', 405],
  ['PUT', 'next-action: 7f', 405],
  ['OPTIONS', 'x-none: 1', 405],
  ['POST', 'next-action: 7f', 200],
  ['POST', 'Content-Type: multipart/form-data; boundary=x', 200],
])('%s to a page with %s gets %i: only server actions reach Next', async (method, header, status) => {
  const { port } = await serve(reportConnection)
  const response = await send(port, `${method} /sign-in HTTP/1.1`, 'Host: x', header, 'Content-Length: 0')
  expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test.each([
  ['cross-site', 'next-action: 7f', 403],
  ['same-site', 'next-action: 7f', 403],
  ['cross-site', 'Content-Type: multipart/form-data; boundary=x', 403],
  ['same-origin', 'next-action: 7f', 200],
  ['none', 'next-action: 7f', 200],
])(
  'a server action that a browser says is %s with %s gets %i, also without an origin',
  async (site, header, status) => {
    const { port } = await serve(reportConnection)
    const sent = ['Host: x', `Sec-Fetch-Site: ${site}`, header, 'Content-Length: 0']
    expect(await send(port, 'POST /sandbox HTTP/1.1', ...sent)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  },
)

test.each([
  ['http://x', 'Host: x', 200],
  ['https://X', 'Host: x', 200],
  ['null', 'Host: x', 200],
  ['http://evil.example', 'Host: x', 403],
  ['http://x.evil.example:port', 'Host: x', 403],
  ['http://evil.example', 'Host: x\r\nX-Forwarded-Host: evil.example', 403],
])('a server action of the origin %s at %s gets %i', async (origin, host, status) => {
  const { port } = await serve(reportConnection)
  const sent = [host, `Origin: ${origin}`, 'next-action: 7f', 'Content-Length: 0']
  expect(await send(port, 'POST /sandbox HTTP/1.1', ...sent)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test.each(['GET /sandbox', 'POST /api/webhooks/inbox/sandbox', 'POST /service/v1/cards'])(
  '%s from another site is a matter of its own handler',
  async (line) => {
    const { port } = await serve(reportConnection)
    const sent = ['Host: x', 'Sec-Fetch-Site: cross-site', 'Content-Length: 0']
    expect(await send(port, `${line} HTTP/1.1`, ...sent)).toMatch(/^HTTP\/1.1 200 /)
  },
)

test('the form that signs out reaches Next', async () => {
  const { port } = await serve(reportConnection)
  const form = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0']
  expect(await send(port, 'POST /sign-out HTTP/1.1', 'Host: x', ...form)).toMatch(/^HTTP\/1.1 200 /)
})

test.each([
  [0, undefined],
  [1, 'evil.example'],
])('behind %i proxies X-Forwarded-Host, -Proto and -Port are %s for Next', async (trustedHops, value) => {
  const seen: unknown[] = []
  const names = ['host', 'proto', 'port'].map((name) => `x-forwarded-${name}`)
  const handle: RequestListener = ({ headers }, response) => {
    seen.push(...names.map((name) => headers[name]))
    response.end()
  }
  const { port } = await serve(handle, null, { senders: { knownSender: async () => null, trustedHops } })
  await send(port, 'GET / HTTP/1.1', 'Host: x', ...names.map((name) => `${name}: evil.example`))
  expect(seen).toEqual([value, value, value])
  // Next forwards a server action to itself under another host.
  await send(port, 'GET / HTTP/1.1', 'Host: x', 'x-action-forwarded: 1', 'x-forwarded-host: desk.example')
  expect(seen[3]).toBe('desk.example')
})

test('a request whose handling fails ends its connection', async () => {
  const { port } = await serve(() => {
    throw new Error('a handler that fails')
  })
  expect(await send(port, 'GET / HTTP/1.1', 'Host: x')).toBe('')
})

test('files are sent whole: no range reaches Next', async () => {
  const { port } = await serve(({ headers }, response) => void response.end(String(headers.range)))
  expect(await send(port, 'GET /embed.js HTTP/1.1', 'Host: x', 'Range: bytes=5-2')).toMatch(/undefined$/)
})

test('a caller cannot set the header that names a connection', async () => {
  const names: unknown[] = []
  const { port } = await serve((request, response) => {
    names.push(request.headers[connectionHeader])
    response.end()
  })
  await send(port, 'GET / HTTP/1.1', 'Host: x', `${connectionHeader}: mine`, `${connectionHeader}: mine`)
  expect(names).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
})

test('forgets a connection when its response is out, and when the caller goes away', async () => {
  const { port } = await serve((_request, response) => void response.end())
  await send(port, 'GET / HTTP/1.1', 'Host: x')
  expect(connections().size).toBe(0)

  const closed = Promise.withResolvers<void>()
  const waiting = await serve((_request, response) => void response.once('close', () => closed.resolve()))
  const socket = connect(waiting.port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(waiting.server, 'request')
  expect(connections().size).toBe(1)
  socket.destroy()
  await closed.promise
  expect(connections().size).toBe(0)
})

test.each(['GET http://elsewhere/ HTTP/1.1', 'OPTIONS * HTTP/1.1'])('responds 400 to %s', async (line) => {
  const { port } = await serve(reportConnection)
  expect(await send(port, line, 'Host: x')).toMatch(/^HTTP\/1.1 400 /)
})

test.each([
  ['localhost:3000', 200],
  ['127.0.0.1:3000', 200],
  ['[::1]:3000', 200],
  ['ops.localhost:3000', 200],
  ['attacker.example:3000', 421],
  ['127.0.0.1.attacker.example', 421],
  ['localhost.attacker.example', 421],
])('a demo requested as %s responds %i', async (host, status) => {
  const { port } = await serve(reportConnection, 'http://localhost:3000')
  expect(await send(port, 'GET /api/health HTTP/1.1', `Host: ${host}`)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test.each([
  ['GET /sandbox/fees?page=2', '127.0.0.1:3000', 'http://localhost:3000/sandbox/fees?page=2'],
  ['GET /', '[::1]:3000', 'http://localhost:3000/'],
  ['GET /service/v1/ping', '127.0.0.1:3000', null],
  ['GET /api/health', '127.0.0.1:3000', null],
  ['POST /sandbox/fees', '127.0.0.1:3000', null],
  ['GET //elsewhere.example/', '127.0.0.1:3000', null],
  ['GET /sandbox/fees', 'localhost:3000', null],
  ['GET /sandbox/fees', 'ops.localhost:3000', null],
])('a demo requested for %s at %s redirects to %s', async (line, host, location) => {
  const { port } = await serve(reportConnection, 'http://localhost:3000')
  const response = await send(port, `${line} HTTP/1.1`, `Host: ${host}`)
  expect(/^location: (.*)$/im.exec(response)?.[1] ?? null).toBe(location)
})

test('reports in one line that the port is in use', async () => {
  const { port } = await serve(reportConnection)
  const other = createHttpServer(reportConnection, { demoUrl: null })
  await expect(listen(other.server, port, '127.0.0.1')).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use by another program: stop it, or set PORT to another one.`,
  )
  await expect(listen(other.server, port, '127.0.0.1', 'METRICS_')).rejects.toThrow(
    'or set METRICS_PORT to another one.',
  )
})

test('lets a running request finish before it closes, and ends one that does not', async () => {
  const release = Promise.withResolvers<void>()
  const { server, port, close } = await serve((request, response) => {
    if (request.url === '/finishes') void release.promise.then(() => response.end('finished'))
    else response.write('begun')
  })
  const finishing = send(port, 'GET /finishes HTTP/1.1', 'Host: x')
  await once(server, 'request')
  const endless = send(port, 'GET /endless HTTP/1.1', 'Host: x').catch(() => 'ended')
  await once(server, 'request')
  const closing = close(300)
  release.resolve()
  expect(await finishing).toContain('finished')
  await closing
  expect(await endless).not.toContain('finished')
})

test('a connection without a complete request holds up no stop for longer than a second', async () => {
  const { server, port, close } = await serve((_request, response) => void response.end())
  const silent = connect(port, '127.0.0.1')
  const stalled = connect(port, '127.0.0.1')
  stalled.write('POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nx')
  await once(server, 'request')
  const ended = Promise.all(
    [silent, stalled].map((socket) =>
      once(
        socket.on('error', () => undefined),
        'close',
      ),
    ),
  )
  const outcome = await Promise.race([close(60_000).then(() => 'closed'), delay(8_000, 'still open')])
  await close(0).catch(() => undefined)
  expect(outcome).toBe('closed')
  await ended
})

test.each([
  ['GET / HTTP/1.1', 200, ''],
  ['GET http://elsewhere/ HTTP/1.1', 400, 'BAD_REQUEST'],
  ['TRACE /sandbox HTTP/1.1', 405, 'METHOD_NOT_ALLOWED'],
  ['no request', 400, 'BAD_REQUEST'],
  [`GET /service/v1/fees?${'x'.repeat(17_000)} HTTP/1.1`, 414, 'URI_TOO_LONG'],
  [`GET /${'x'.repeat(70_000)} HTTP/1.1`, 431, 'REQUEST_HEADER_FIELDS_TOO_LARGE'],
])(
  '%.30s: HSTS over https and only there; the server’s own errors are the interface’s, and neither framed nor sniffed',
  async (line, status, code) => {
    for (const isSecure of [true, false]) {
      const http = createHttpServer(reportConnection, { demoUrl: null, isSecure })
      await listen(http.server, 0, '127.0.0.1')
      onTestFinished(() => http.close(0))
      const { port } = http.server.address() as AddressInfo
      const response = await send(port, line, 'Host: x')
      expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(/^strict-transport-security: max-age=31536000; includeSubDomains\r$/im.test(response)).toBe(isSecure)
      if (status === 200) continue
      expect(response).toMatch(/^content-security-policy: default-src 'none'; frame-ancestors 'none'\r$/im)
      expect(response).toMatch(/^x-content-type-options: nosniff\r$/im)
      const body = /\{.*\}/.exec(response)?.[0] ?? ''
      expect(JSON.parse(body)).toEqual({ code, message: expect.any(String) })
    }
  },
)

test('requests are measured by what they are for and how they ended, without a path', async () => {
  const { registry } = metrics()
  const { port } = await serve((request, response) => {
    response.statusCode = request.url === '/sandbox/fees' ? 500 : 200
    response.end()
  })
  const action = ['POST /sandbox HTTP/1.1', 'Host: x', 'next-action: 7f', 'Content-Length: 0']
  await send(port, ...action)
  for (const target of [
    '/sandbox/fees',
    '/sandbox/fees?page=2',
    '/api/sandbox/cards',
    '/api/sandbox/live',
    '/embed.js',
  ])
    await send(port, `GET ${target} HTTP/1.1`, 'Host: x')
  await send(port, 'POST /api/webhooks/inbox/sandbox HTTP/1.1', 'Host: x', 'Content-Length: 0')
  const countsNow = async () => {
    const text = await registry.metrics()
    const counts = text.matchAll(/^carddesk_http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)
    return Object.fromEntries([...counts].map(([, labels, count]) => [labels, Number(count)]))
  }
  // A response is complete for its sender before it is here.
  await vi.waitFor(async () =>
    expect(await countsNow()).toMatchObject({
      'kind="action",status="2xx"': 1,
      'kind="page",status="5xx"': 1,
      'kind="page",status="2xx"': 1,
      'kind="api",status="2xx"': 1,
      'kind="live",status="2xx"': 1,
      'kind="asset",status="2xx"': 1,
      'kind="webhook",status="2xx"': 1,
    }),
  )
})

test('leaves: a load balancer that checks is told first, and everything else is served until it was', async () => {
  const { port, leave } = await serve((_, response) => response.end('served'))
  const check = () => send(port, 'GET /api/health/ready HTTP/1.1', 'Host: x')
  await leave()
  const watched = await serve((_, response) => response.end('served'))
  const checkWatched = () => send(watched.port, 'GET /api/health/ready HTTP/1.1', 'Host: x')
  expect(await check()).toMatch(/^HTTP\/1.1 503 /)
  for (let times = 0; times < 2; times += 1) expect(await checkWatched()).toContain('served')
  let hasLeft = false
  const leaving = watched.leave().then(() => (hasLeft = true))
  for (let times = 0; times < 3; times += 1) {
    expect(hasLeft).toBe(false)
    expect(await send(watched.port, 'GET /sandbox HTTP/1.1', 'Host: x')).toContain('served')
    expect(await checkWatched()).toMatch(/^HTTP\/1.1 503 /)
  }
  await leaving
})

test('drains: a running request of the console may still call the service, a new one is a 503', async () => {
  const release = Promise.withResolvers<void>()
  const { server, port, drain } = await serve((request, response) => {
    if (request.url === '/running') void release.promise.then(() => response.end('finished'))
    else response.end()
  })
  const running = send(port, 'POST /running HTTP/1.1', 'Host: x', 'next-action: 7f', 'Content-Length: 0')
  await once(server, 'request')
  const drained = drain(5_000)
  expect(await send(port, 'GET /sandbox HTTP/1.1', 'Host: x')).toMatch(/^HTTP\/1.1 503 /)
  expect(await send(port, 'POST /service/v1/cards/lock HTTP/1.1', 'Host: x', 'Content-Length: 0')).toMatch(
    /^HTTP\/1.1 200 /,
  )
  release.resolve()
  expect(await running).toContain('finished')
  await drained
})

test.each([
  ['desk.example.com', '/sandbox', 200],
  ['desk.example.com', '/services', 200],
  ['desk.example.com', '/service/v1/ping', 421],
  ['desk.example.com', '/service', 421],
  ['desk.example.com', '/service?docs', 421],
  ['Sandbox.Example.com:8443', '/service/v1/ping', 200],
  ['sandbox.example.com', '/service/docs', 200],
  ['sandbox.example.com', '/sandbox', 421],
  ['sandbox.example.com', '/api/webhooks/inbox/sandbox', 421],
  ['sandbox.example.com', '/_next/static/x.js', 421],
  ['sandbox.example.com', '/api/health/ready', 200],
  ['127.0.0.1:3000', '/service/v1/ping', 200],
  ['elsewhere.example.com', '/service/v1/ping', 421],
])('where the service has a name of its own, %s%s is %i', async (host, target, status) => {
  const serviceHosts = { own: 'sandbox.example.com', internal: '127.0.0.1' }
  const { port } = await serve(reportConnection, null, { serviceHosts })
  expect(await send(port, `GET ${target} HTTP/1.1`, `Host: ${host}`)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test('with a certificate it speaks https alone, and clients that trust its issuer reach it', async () => {
  const certificates = getCACertificates('default')
  onTestFinished(() => setDefaultCACertificates(certificates))
  const { port } = await serve(reportConnection, null, { tls: testCertificate })
  const origin = listeningOrigin('127.0.0.1', port, true)
  const { privateKey } = testKeyPair
  const request = { method: 'GET', path: '/ping', bytes: null, idempotencyKey: null, signing: 'valid' } as const
  const connection = { baseUrl: `${origin}/service/v1`, accessKey: randomUUID(), privateKey }
  expect(await sendRaw(connection, request)).toMatchObject({ status: null, failure: 'CONNECTION_FAILED' })
  await expect(fetch(origin)).rejects.toThrow()

  setDefaultCACertificates([testCertificate.cert])
  expect(await sendRaw(connection, request)).toMatchObject({ status: 200 })
  expect(await (await fetch(`${origin}/service/v1/ping`)).json()).toMatchObject({ target: '/service/v1/ping' })
  await expect(fetch(`http://localhost:${port}`)).rejects.toThrow()
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://[::1]:3000'],
  ['::1', 'http://[::1]:3000'],
  ['desk.internal', 'http://desk.internal:3000'],
])('a server on %s is reached at %s', (host, origin) => {
  expect(listeningOrigin(host, 3000)).toBe(origin)
  const name = host === 'desk.internal' ? host : 'localhost'
  expect(listeningOrigin(host, 3000, true)).toBe(`https://${name}:3000`)
})
