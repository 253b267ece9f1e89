import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { findCaller, respondToService } from './listener.ts'
import { basic, openTestService, type TestService } from './testing.ts'

let opened: TestService
let port: number

beforeAll(async () => {
  opened = await openTestService({ seeded: 8 })
  const server = createServer((message, response) => {
    if (!respondToService(message, response, opened.service)) response.writeHead(200).end('Next')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  return async () => {
    server.closeAllConnections()
    server.close()
    await opened.close()
  }
})

type Sent = { method?: string; headers?: Record<string, string>; body?: string }

async function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const authorization = basic(opened.caller.accessKey)
  const sent = request({ port, path, method, headers: { authorization, ...headers } }).end(body)
  const [message] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: message.statusCode, headers: message.headers, bytes: await buffer(message) }
}

test.each([
  ['/service/v1/ping', 200, 'application/json'],
  ['/service/v1?a', 404, 'application/json'],
  ['/service/v1//ping', 404, 'application/json'],
  ['/service/v1/%zz', 404, 'application/json'],
  ['/service/control/clock', 200, 'application/json'],
  ['/service/sandboxes/none/v1/ping', 404, 'application/json'],
  ['/service/docs', 200, 'text/html; charset=utf-8'],
  ['/service/docs/none', 404, 'text/plain;charset=UTF-8'],
])('responds to %s with %d', async (path, status, type) => {
  const { headers, ...response } = await send(path)
  expect([response.status, headers['content-type']]).toEqual([status, type])
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test.each(['/service', '/service/v10/ping', '/service/constructor', '/services/v1/ping', '/sandbox'])(
  'leaves %s to Next',
  async (path) => {
    expect(String((await send(path)).bytes)).toBe('Next')
  },
)

test('a body arrives as it was sent, in parts, and a HEAD gets none', async () => {
  const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  const moved = await send('/service/control/clock', { method: 'POST', headers: chunked, body: '{"advance":"P1D"}' })
  expect(moved.status).toBe(200)
  const wrong = await send('/service/control/clock', { method: 'POST', headers: chunked, body: '{"advance":' })
  expect(wrong.status).toBe(400)
  const head = await send('/service/v1/ping', { method: 'HEAD' })
  expect([head.status, head.bytes.length]).toEqual([405, 0])
})

test.each([
  ['gzip', 'gzip'],
  ['br, GZIP;q=0.5', 'gzip'],
  ['deflate, gzip ; q=1.0, *;q=0', 'gzip'],
  ['gzip;q=0', undefined],
  ['identity, gzip; q=0.0, br', undefined],
  ['not-gzip', undefined],
])('who accepts %s gets the encoding %s', async (accepted, encoding) => {
  const { headers } = await send('/service/v1/openapi.json', { headers: { 'accept-encoding': accepted } })
  expect(headers['content-encoding']).toBe(encoding)
})

test('a long response is compressed for who reads that', async () => {
  const plain = await send('/service/v1/openapi.json')
  const zipped = await send('/service/v1/openapi.json', { headers: { 'accept-encoding': 'gzip, br' } })
  expect([plain.headers['content-encoding'], zipped.headers['content-encoding']]).toEqual([undefined, 'gzip'])
  expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 2)
  expect(JSON.parse(String(gunzipSync(zipped.bytes)))).toEqual(JSON.parse(String(plain.bytes)))
})

test('a fault drops the connection without a byte', async () => {
  const fault = { path: '/ping', status: 0, times: 1 }
  expect((await opened.control('POST', '/faults', fault)).status).toBe(200)
  await expect(send('/service/v1/ping')).rejects.toThrow(/socket hang up|ECONNRESET/)
  expect((await send('/service/v1/ping')).status).toBe(200)
})

test('a caller that leaves while it waits stops nothing', async () => {
  const fault = { path: '/ping', delayMs: 150, times: 1 }
  expect((await opened.control('POST', '/faults', fault)).status).toBe(200)
  const authorization = basic(opened.caller.accessKey)
  const left = request({ port, path: '/service/v1/ping', headers: { authorization } }).end()
  left.on('error', () => undefined)
  onTestFinished(() => void left.destroy())
  await expect.poll(async () => (await opened.control('GET', '/faults')).json).toMatchObject({ faults: [] })
  left.destroy()
  expect((await send('/service/v1/ping')).status).toBe(200)
})

test.each([
  ['/service/v1/cards/lock', null, true],
  ['/service/control/clock', null, true],
  ['/service/v1/cards/lock', 'a session', false],
  ['/service/v1/cards/lock', basic(randomUUID()), false],
  ['/service/sandboxes/none/v1/cards/lock', null, false],
  ['/api/webhooks/inbox/sandbox', null, false],
])('who sends a request to %s is known before its body is read (authorization %s: %s)', async (url, other, isKnown) => {
  const { service, caller } = opened
  const headers = { authorization: other ?? basic(caller.accessKey) }
  const message = { url, method: 'POST', headers } as IncomingMessage
  expect(await findCaller(message, service)).toBe(isKnown ? caller.accessKey : null)
})
