import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { testCertificate } from '#lib/shared/testing/certificate.ts'
import { createBodyLimits, limitConnections, limitStrangers, requestTimes } from './http-limits.ts'
import { createHttpServer, listen } from './http-server.ts'

const mebibyte = 1024 * 1024

async function serve(handle: RequestListener): Promise<number> {
  const http = createHttpServer(handle, { demoUrl: null })
  await listen(http.server, 0, '127.0.0.1')
  onTestFinished(() => http.close(0))
  return (http.server.address() as AddressInfo).port
}

/** A connection that has sent these lines, and what it has received so far. */
async function open(port: number, ...lines: string[]): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString()))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  if (lines.length > 0) socket.write(`${['POST', ...lines].join(' ').replaceAll(' | ', '\r\n')}\r\n\r\n`)
  return { socket, received: () => received }
}

const upload = (port: number, path: string, length: number) =>
  open(port, `${path} HTTP/1.1 | Host: x | Content-Length: ${length}`)

/** Responds once the body has arrived. */
const afterBody: RequestListener = (request, response) => {
  request.resume().once('end', () => response.end('done'))
}

const received = (status: number) => new RegExp(`^HTTP/1.1 ${status} `)

test('large bodies are accepted until the budget is used up, small ones always', async () => {
  const port = await serve(afterBody)
  const uploads = []
  for (let index = 0; index < 4; index += 1) uploads.push(await upload(port, '/service/v1/cards/lock', mebibyte))
  const refused = await upload(port, '/service/v1/cards/lock', mebibyte)
  await vi.waitFor(() => expect(refused.received()).toMatch(received(503)))
  expect(refused.received()).toMatch(/retry-after: 2/i)
  const small = await upload(port, '/service/v1/cards/lock', 2)
  small.socket.write('{}')
  await vi.waitFor(() => expect(small.received()).toMatch(received(200)))

  uploads[0]?.socket.destroy()
  await vi.waitFor(async () => {
    const next = await upload(port, '/service/v1/cards/lock', 9000)
    next.socket.write('x'.repeat(9000))
    await vi.waitFor(() => expect(next.received()).toMatch(received(200)))
  })
})

test('a response gets one listener for its end, so that those of Next are no leak to Node', async () => {
  const port = await serve((_, response) => void response.end(String(response.listenerCount('close'))))
  const response = await fetch(`http://127.0.0.1:${port}/service/v1/cards/lock`, {
    method: 'POST',
    body: 'x'.repeat(9000),
  })
  expect(await response.text()).toBe('1')
})

test('a page token of 8 kB fits into the headers of a request three times, encoded', async () => {
  const port = await serve((request, response) => void response.end(String(request.url?.length)))
  const token = encodeURIComponent('+'.repeat(5500))
  const headers = { referer: `http://127.0.0.1/${token}`, 'next-router-state-tree': token }
  const response = await fetch(`http://127.0.0.1:${port}/sandbox/fees?pageToken=${token}`, { headers })
  expect([response.status, Number(await response.text())]).toEqual([200, token.length + 24])
})

test('a page refuses a body over 4 MiB; a body without its length is accepted and counts as the largest', async () => {
  const port = await serve(afterBody)
  const chunked = 'Host: x | Transfer-Encoding: chunked'
  for (const path of ['/api/sandbox', '/api/sandbox', '/api/sandbox']) await open(port, `${path} HTTP/1.1 | ${chunked}`)
  const fourth = await open(port, `/api/sandbox HTTP/1.1 | ${chunked}`)
  await vi.waitFor(() => expect(fourth.received()).toMatch(received(503)))
  const large = await upload(port, '/api/sandbox', 4 * mebibyte + 1)
  await vi.waitFor(() => expect(large.received()).toMatch(received(413)))
  const other = await serve(afterBody)
  for (const path of ['/api/sandbox', '/service/v1/cards/lock']) {
    const sent = await open(other, `${path} HTTP/1.1 | ${chunked}`)
    sent.socket.write('0\r\n\r\n')
    await vi.waitFor(() => expect(sent.received()).toMatch(received(200)))
  }
})

test('a declared length counts until its response is sent, not only until the body has arrived', async () => {
  const release = Promise.withResolvers<void>()
  const limits = createBodyLimits({ page: 2 * mebibyte, service: 2 * mebibyte })
  const statuses: number[] = []
  const server = createServer((request, response) => {
    const rejected = limits(request, response, true)
    statuses.push(rejected?.status ?? 200)
    request.resume()
    void release.promise.then(() => response.end())
  })
  await listen(server, 0, '127.0.0.1')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  for (let index = 0; index < 3; index += 1) {
    const { socket } = await upload(port, '/', mebibyte)
    socket.write('x'.repeat(mebibyte))
  }
  await vi.waitFor(() => expect(statuses).toEqual([200, 200, 503]))
  release.resolve()
})

test('connections without a complete request make room for new ones, the oldest first', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/held') response.write('held')
    else response.end('answered')
  })
  limitConnections(server, { most: 20, crowded: 5 })
  await listen(server, 0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const held = await open(port, '/held HTTP/1.1 | Host: x | Content-Length: 0')
  await vi.waitFor(() => expect(held.received()).toContain('held'))
  const silent = [await open(port), await upload(port, '/held', mebibyte)]
  for (let index = 0; index < 20; index += 1) silent.push(await open(port))
  const requested = await open(port, '/ HTTP/1.1 | Host: x | Content-Length: 0')
  await vi.waitFor(() => expect(requested.received()).toContain('answered'))
  await vi.waitFor(() => expect(silent.slice(0, 10).every(({ socket }) => socket.closed)).toBe(true))
  expect(held.socket.closed).toBe(false)
})

test('over TLS a connection whose request runs is complete as well', async () => {
  const server = createSecureServer(testCertificate, (_, response) => void response.write('held'))
  const incomplete = limitConnections(server)
  await listen(server, 0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const socket = connectTls({ port, servername: 'localhost', ca: testCertificate.cert })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'secureConnect')
  expect(incomplete.size).toBe(1)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  expect(incomplete.size).toBe(0)
  socket.destroy()
  await vi.waitFor(() => expect(incomplete.size).toBe(0))
})

test('a request has to arrive within 15 s, its headers within 10 s, and this is checked every second', async () => {
  const { server } = createHttpServer(afterBody, { demoUrl: null })
  expect(server).toMatchObject({ requestTimeout: 15_000, headersTimeout: 10_000, maxConnections: 1000 })
  expect(requestTimes.connectionsCheckingInterval).toBe(1000)
})

test.each([1, 9000, 200_000, 3 * mebibyte])('a page gets a body of %i bytes whole', async (length) => {
  const port = await serve((request, response) => {
    // As Next makes one for a route handler: it refuses a body that was read before.
    const init: object = { method: 'POST', body: request, duplex: 'half' }
    const received = new Request('http://desk.test/', init).arrayBuffer()
    void received.then((bytes) => response.end(`${Buffer.from(bytes).equals(body)}`))
  })
  const body = Buffer.from(Array.from({ length }, (_, index) => index % 251))
  const headers = { 'content-type': 'application/octet-stream' }
  for (let round = 0; round < 2; round += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/api/sandbox`, { method: 'POST', body, headers })
    expect(await response.text()).toBe('true')
  }
})

test('a page never hears of an upload whose sender goes away, and the service does', async () => {
  const requested: string[] = []
  const port = await serve((request, response) => {
    requested.push(request.url ?? '')
    response.end()
  })
  const page = await upload(port, '/api/sandbox', 5000)
  page.socket.write('x'.repeat(4999), () => page.socket.destroy())
  await once(page.socket, 'close')
  const service = await upload(port, '/service/docs', 5000)
  await vi.waitFor(() => expect(service.received()).toMatch(received(200)))
  expect(requested).toEqual(['/service/docs'])
})

test('a large body that is refused before it has arrived is not read to its end', async () => {
  const port = await serve((_request, response) => void response.writeHead(401).end())
  const refused = await upload(port, '/service/v1/cards/lock', mebibyte)
  await vi.waitFor(() => expect(refused.received()).toMatch(received(401)))
  expect(refused.received()).toMatch(/connection: close/i)
  await vi.waitFor(() => expect(refused.socket.closed).toBe(true))
})

describe('requests without a session', () => {
  /** Handles requests when `release` is called; `?in` is the session's cookie. */
  async function limited() {
    const handled: string[] = []
    let releases: (() => void)[] = []
    const handle: RequestListener = (request, response) => {
      handled.push(request.url ?? '')
      releases.push(() => response.end('handled'))
    }
    const isSignedIn = async ({ url = '' }: { url?: string | undefined }) => url.endsWith('?in')
    const port = await serve(limitStrangers(handle, isSignedIn, { atOnce: 2, waiting: 1, waitMs: 60_000 }))
    const release = () => {
      for (const each of releases) each()
      releases = []
    }
    return { port, handled, release }
  }
  const get = (port: number, path: string) => fetch(`http://127.0.0.1:${port}${path}`)

  test('run two at a time; one more waits, the next gets 503, and sessions, health and the service wait for none', async () => {
    const { port, handled, release } = await limited()
    const first = [get(port, '/1'), get(port, '/2')]
    await vi.waitFor(() => expect(handled).toHaveLength(2))
    const third = get(port, '/3')
    const statuses: number[] = []
    // Whichever of the two comes second is refused.
    const fourth = get(port, '/3')
    for (const each of [third, fourth]) void each.then(({ status }) => statuses.push(status))
    await vi.waitFor(() => expect(statuses).toEqual([503]))
    const others = ['/sandbox?in', '/api/health/ready', '/service/docs', '/api/webhooks/inbox/sandbox']
    const unlimited = others.map((path) => get(port, path))
    await vi.waitFor(() => expect(handled).toHaveLength(6))
    release()
    await Promise.all([...first, ...unlimited])
    await vi.waitFor(() => expect(handled.at(-1)).toBe('/3'))
    release()
    await Promise.all([third, fourth])
    expect(statuses).toEqual([503, 200])
  })

  test('a slow body in chunks takes no turn of others, and who leaves gives up the turn', async () => {
    const { port, handled, release } = await limited()
    const chunked = 'Host: x | Transfer-Encoding: chunked'
    const slow = [await open(port, `/api/a HTTP/1.1 | ${chunked}`), await open(port, `/api/b HTTP/1.1 | ${chunked}`)]
    await vi.waitFor(() => expect(handled).toEqual(['/api/a', '/api/b']))
    const whole = get(port, '/whole')
    await vi.waitFor(() => expect(handled).toContain('/whole'))
    for (const { socket } of slow) socket.destroy()
    await vi.waitFor(async () => {
      const next = await open(port, `/api/c HTTP/1.1 | ${chunked}`)
      await vi.waitFor(() => expect(handled).toContain('/api/c'), { timeout: 200 })
      next.socket.destroy()
    })
    release()
    expect((await whole).status).toBe(200)
  })
})
