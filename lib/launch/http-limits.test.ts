import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { connections } from '#lib/shared/connections.ts'
import { testCertificate } from '#lib/shared/testing/certificate.ts'
import {
  createReceiver,
  limitConnections,
  callerNetwork,
  sendRejection,
  type Senders,
  serverLimits,
} from './http-limits.ts'
import { createHttpServer, listen } from './http-server.ts'
import { paceStrangers } from './pace-strangers.ts'

const mebibyte = 1024 * 1024

/** `?in` at the end of an address is the cookie of a session or the key of a caller, and `X-Forwarded-For` tells senders apart. */
const senders: Senders = {
  knownSender: async ({ url = '' }) => (url.endsWith('?in') ? 'a session' : null),
  trustedHops: 1,
}

async function serve(handle: RequestListener): Promise<number> {
  const http = createHttpServer(handle, { demoUrl: null, senders })
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

test('connections that declare large bodies and send none block no upload', async () => {
  const port = await serve(afterBody)
  for (let index = 0; index < 20; index += 1) {
    await upload(port, '/api/sandbox?in', 4 * mebibyte)
    await upload(port, '/api/webhooks/inbox/sandbox', mebibyte)
  }
  for (const path of ['/api/sandbox?in', '/api/webhooks/inbox/sandbox', '/service/v1/cards/lock']) {
    const sent = await upload(port, path, 20_000)
    sent.socket.write('x'.repeat(20_000))
    await vi.waitFor(() => expect(sent.received()).toMatch(received(200)))
  }
})

test('large bodies of an address have a share, unless they are of somebody known; small ones and those of others have not', async () => {
  const port = await serve(afterBody)
  const send = async (path: string, length: number, address = '192.0.2.1') => {
    const headers = { 'x-forwarded-for': address }
    const body = 'x'.repeat(length)
    return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })).status
  }
  for (let index = 0; index < 4; index += 1) expect(await send('/service/v1/cards/lock', mebibyte)).toBe(200)
  expect(await send('/service/v1/cards/lock', mebibyte)).toBe(503)
  for (let index = 0; index < 12; index += 1) expect(await send('/service/v1/cards/lock?in', mebibyte)).toBe(200)
  expect(await send('/api/webhooks/inbox/sandbox', 20_000)).toBe(503)
  expect(await send('/api/webhooks/inbox/sandbox', 8000)).toBe(200)
  expect(await send('/api/webhooks/inbox/sandbox', 20_000, '192.0.2.2')).toBe(200)
  expect(await send('/api/sandbox?in', 3 * mebibyte)).toBe(200)
})

test('a body of a sender without a session that pauses for too long is refused', async () => {
  const receive = createReceiver(senders, { share: { known: 1, address: 1, addresses: 1 }, pauseMs: 50 })
  const server = createServer((request, response) => {
    void receive(request).then((rejection) => (rejection ? sendRejection(response, rejection) : response.end('done')))
  })
  await listen(server, 0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const silent = await upload(port, '/api/webhooks/inbox/sandbox', 5000)
  await vi.waitFor(() => expect(silent.received()).toMatch(received(408)))
})

test('a request behind a response whose last byte has arrived, and whose end has not, gets its own', async () => {
  const port = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '4' }).write('done')
    setTimeout(() => response.end(), 20)
  })
  const { socket, received: all } = await open(port)
  const responses = () => all().match(/done/g)?.length ?? 0
  for (let sent = 1; sent <= 5; sent += 1) {
    socket.write('GET /file HTTP/1.1\r\nHost: x\r\n\r\n')
    await vi.waitFor(() => expect(responses()).toBe(sent), { interval: 1 })
  }
})

test('requests behind one without a response end their connection, and nothing of them is stored', async () => {
  const handled: string[] = []
  const port = await serve(({ url = '' }) => void handled.push(url))
  const { socket } = await open(port)
  socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20))
  await once(socket, 'close')
  await vi.waitFor(() => expect(connections().size).toBe(0))
  expect(handled.length).toBeLessThan(2)
})

test.each([
  [`/sign-in?${'a&'.repeat(199)}`, '', 200],
  [`/sign-in?${'a&'.repeat(200)}`, '', 414],
  [`/api/sandbox/overview?a=${'4-'.repeat(8000)}`, '', 200],
  [`/api/sandbox/overview?a=${'4-'.repeat(9000)}`, '', 414],
  ['/api/auth/session', Array.from({ length: 200 }, (_, at) => `carddesk-session.${at}=1`).join('; '), 200],
  ['/api/auth/session', Array.from({ length: 201 }, (_, at) => `carddesk-session.${at}=1`).join('; '), 431],
])('%.30s with these parameters and the cookies %.30s gets %i', async (path, cookie, status) => {
  const port = await serve((_, response) => void response.end())
  expect((await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } })).status).toBe(status)
})

test.each([
  [encodeURIComponent('["",{}]'), 200],
  [encodeURIComponent('["",{"children":["sandbox",{"children":["__PAGE__",{}]}]},null,"refetch"]'), 200],
  ['{}', 400],
  ['[]', 400],
  ['["",{"children":1}]', 400],
  ['%5B%22', 400],
  ['%', 400],
])('the state %s of a router that requests a page gets %i', async (state, status) => {
  const port = await serve((_, response) => void response.end())
  const get = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/sandbox/fees`, { headers })
  expect((await get({ rsc: '1', 'next-router-state-tree': state })).status).toBe(status)
  expect((await get({ 'next-router-state-tree': state })).status, 'Next does not read it').toBe(200)
})

test('Next may listen eight times for the end of a response without a warning', async () => {
  const free = (response: ServerResponse) => response.getMaxListeners() - response.listenerCount('close')
  const port = await serve((_, response) => void response.end(String(free(response))))
  expect(Number(await (await fetch(`http://127.0.0.1:${port}/`)).text())).toBeGreaterThanOrEqual(8)
})

test('a page token of 8 kB fits into the headers of a request three times, encoded', async () => {
  const port = await serve((request, response) => void response.end(String(request.url?.length)))
  const token = encodeURIComponent(`${'x'.repeat(7900)}${'+'.repeat(100)}`)
  const headers = { referer: `http://127.0.0.1/${token}`, 'next-router-state-tree': token }
  const response = await fetch(`http://127.0.0.1:${port}/sandbox/fees?pageToken=${token}`, { headers })
  expect([response.status, Number(await response.text())]).toEqual([200, token.length + 24])
})

test.each([
  ['/api/sandbox?in', 4 * mebibyte + 1, 413],
  ['/api/sandbox?in', 4 * mebibyte, 200],
  ['/api/sandbox', 8193, 413],
  ['/api/sandbox', 8192, 200],
  ['/service/v1/cards/lock', mebibyte, 200],
])('a body for %s of %i bytes gets %i, with its length and in chunks', async (path, length, status) => {
  const port = await serve(afterBody)
  const body = Buffer.alloc(length, 'x')
  const declared = await open(port, `${path} HTTP/1.1 | Host: x | Content-Length: ${length}`)
  declared.socket.write(body)
  await vi.waitFor(() => expect(declared.received()).toMatch(received(status)))
  const chunked = await open(port, `${path} HTTP/1.1 | Host: x | Transfer-Encoding: chunked`)
  chunked.socket.write(`${length.toString(16)}\r\n`)
  chunked.socket.write(body)
  chunked.socket.write('\r\n0\r\n\r\n')
  await vi.waitFor(() => expect(chunked.received()).toMatch(received(status)))
})

test('the service refuses a body over 1 MiB itself, before it has arrived', async () => {
  const port = await serve((_request, response) => void response.writeHead(413).end('of the service'))
  const refused = await upload(port, '/service/v1/cards/lock', mebibyte + 1)
  await vi.waitFor(() => expect(refused.received()).toContain('of the service'))
  expect(refused.received()).toMatch(/connection: close/i)
  await vi.waitFor(() => expect(refused.socket.closed).toBe(true))
  const chunked = await open(port, '/service/v1/cards/lock HTTP/1.1 | Host: x | Transfer-Encoding: chunked')
  chunked.socket.write(`${(2 * mebibyte).toString(16)}\r\n${'x'.repeat(mebibyte + 1)}`)
  await vi.waitFor(() => expect(chunked.received()).toContain('of the service'))
})

test('connections without a complete request make room for new ones, the oldest first', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/held') response.write('held')
    else response.end('answered')
  })
  limitConnections(server, { most: 20, crowded: 5, unreadMs: 60_000 })
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

const longBytes = 16 * mebibyte

/** Responds with more than the kernel takes at once, in pieces or as one; and with a word to anything else. */
async function serveLong(
  bounds: Partial<Parameters<typeof limitConnections>[1]>,
): Promise<{ port: number; countConnections: () => Promise<number> }> {
  const server = createServer(({ url }, response) => {
    const pieces = () => Readable.from(Array.from({ length: 16 }, () => Buffer.alloc(mebibyte)))
    if (url === '/pieces') pieces().pipe(response)
    else response.end(url === '/whole' ? Buffer.alloc(longBytes) : 'answered')
  })
  limitConnections(server, { most: 20, crowded: 10, unreadMs: 60_000, ...bounds })
  await listen(server, 0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, countConnections: promisify(server.getConnections.bind(server)) }
}

/** A connection to which a response is being sent, and that reads nothing. */
async function openUnread(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  return socket.pause()
}

test.each(['/pieces', '/whole'])(
  'connections that do not read %s make room for new ones, and end no others',
  async (path) => {
    const { port } = await serveLong({})
    const silent = await open(port)
    for (let index = 0; index < 30; index += 1) await openUnread(port, path)
    const requested = await open(port, '/ HTTP/1.1 | Host: x | Content-Length: 0')
    await vi.waitFor(() => expect(requested.received()).toContain('answered'))
    expect(silent.socket.closed).toBe(false)
  },
)

test.each(['/pieces', '/whole'])(
  'a connection that does not read %s ends, and one that reads slowly gets all',
  async (path) => {
    const { port, countConnections } = await serveLong({ unreadMs: 1000 })
    const unread = await openUnread(port, path)
    const slow = await openUnread(port, path)
    let bytes = 0
    for (const until = Date.now() + 20_000; bytes < longBytes && Date.now() < until; await delay(5)) {
      bytes += (slow.read() as Buffer | null)?.length ?? 0
    }
    expect(bytes).toBeGreaterThan(longBytes)
    expect(unread.closed).toBe(false)
    slow.destroy()
    await vi.waitFor(async () => expect(await countConnections()).toBe(0), 10_000)
  },
  30_000,
)

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
  expect(serverLimits.connectionsCheckingInterval).toBe(1000)
})

test.each([1, 9000, 200_000, 3 * mebibyte])(
  'a page gets a body of %i bytes whole, in chunks as well',
  async (length) => {
    const port = await serve((request, response) => {
      // As Next makes one for a route handler: it refuses a body that was read before.
      const init: object = { method: 'POST', body: request, duplex: 'half' }
      const received = new Request('http://desk.test/', init).arrayBuffer()
      void received.then((bytes) => response.end(`${Buffer.from(bytes).equals(body)}`))
    })
    const body = Buffer.from(Array.from({ length }, (_, index) => index % 251))
    const headers = { 'content-type': 'application/octet-stream' }
    const chunks = () => new Blob([body]).stream()
    for (const sent of [{ body }, { body }, { body: chunks(), duplex: 'half' }, { body: chunks(), duplex: 'half' }]) {
      const response = await fetch(`http://127.0.0.1:${port}/api/sandbox?in`, { method: 'POST', headers, ...sent })
      expect(await response.text()).toBe('true')
    }
  },
)

test('nobody hears of an upload whose sender goes away', async () => {
  const handle = vi.fn<RequestListener>((_, response) => void response.end())
  const port = await serve(handle)
  for (const path of ['/api/sandbox', '/service/docs']) {
    const { socket } = await upload(port, path, 5000)
    socket.write('x'.repeat(4999), () => socket.destroy())
    await once(socket, 'close')
  }
  await vi.waitFor(() => expect(connections().size).toBe(0))
  expect(handle).not.toHaveBeenCalled()
})

test.each([
  ['::ffff:192.0.2.7', null, 0, '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', null, 0, '2001:db8:1:2'],
  ['2001:db8::5', '203.0.113.9', 0, '2001:db8:0:0'],
  ['127.0.0.1', '198.51.100.1, 203.0.113.9', 1, '203.0.113.9'],
])('the sender at %s, forwarded for %s over %i hops, is %s', (remoteAddress, forwardedFor, hops, network) => {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwardedFor ?? undefined } }
  expect(callerNetwork(request as never, hops)).toBe(network)
})

describe('requests without a session', () => {
  const get = (port: number, path: string, address = '192.0.2.1') =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-forwarded-for': address } })
  const paced = (handle: RequestListener, limits: Parameters<typeof paceStrangers>[2]) =>
    serve(paceStrangers(handle, senders, limits))

  test('go on at a pace, one of each address in turn; sessions, health and the service wait for none', async () => {
    const handled: string[] = []
    const handle: RequestListener = ({ url = '' }, response) => {
      handled.push(url)
      response.end()
    }
    const port = await paced(handle, { points: 1, seconds: 2, ofAddress: 2, ofAll: 3 })
    await get(port, '/first')
    const flood = [get(port, '/2'), get(port, '/3'), get(port, '/4')]
    const refused = await Promise.race(flood)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    const other = get(port, '/other', '192.0.2.2')
    const others = ['/sandbox?in', '/api/health/ready', '/service/v1/ping', '/api/webhooks/inbox/sandbox']
    for (const path of others) expect((await get(port, path)).status).toBe(200)
    const statuses = (await Promise.all([...flood, other])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(handled.slice(0, 5)).toEqual(['/first', ...others])
    // Of the address that floods one is before it at most.
    expect(handled.indexOf('/other')).toBeLessThan(7)
  }, 30_000)

  test('of a few addresses that flood leave a place to those of others', async () => {
    const port = await paced((_, response) => void response.end(), { points: 1, seconds: 2, ofAddress: 2, ofAll: 4 })
    await get(port, '/first')
    const flood = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2'].map((address) => get(port, '/flood', address))
    await vi.waitFor(() => expect(connections().size).toBe(4))
    const other = get(port, '/other', '192.0.2.3')
    expect((await Promise.race(flood)).status).toBe(503)
    expect((await get(port, '/flood', '192.0.2.2')).status).toBe(503)
    expect((await other).status).toBe(200)
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
  }, 30_000)

  test.each(['/service/docs', '/service/v1/openapi.json?a', '/service/none', '/api/health/none', '/service/v10'])(
    'to %s are paced',
    async (path) => {
      const port = await paced((_, response) => void response.end(), { points: 1, seconds: 60, ofAddress: 1, ofAll: 1 })
      await get(port, path)
      const statuses = await Promise.race([get(port, path), get(port, path)])
      expect(statuses.status).toBe(503)
    },
  )

  test('that are abandoned or pipelined cost none of the others its turn', async () => {
    const port = await paced((_, response) => void response.end(), {
      points: 1,
      seconds: 0.5,
      ofAddress: 40,
      ofAll: 50,
    })
    await get(port, '/first', '127.0.0.1')
    for (let index = 0; index < 30; index += 1) (await open(port, '/abandoned HTTP/1.1 | Host: x')).socket.destroy()
    const { socket } = await open(port)
    socket.write('GET /pipelined HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20))
    const began = performance.now()
    expect((await get(port, '/after', '127.0.0.1')).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(5000)
  })

  test('of an office of 200 people behind one address are served, all at the same moment', async () => {
    const port = await paced((_, response) => void response.end(), undefined)
    const served = await Promise.all(Array.from({ length: 200 }, () => get(port, '/sign-in')))
    expect(served.filter(({ status }) => status !== 200)).toEqual([])
  })
})
