import { once } from 'node:events'
import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { demoHelpDesk } from './demo-help-desk.ts'
import { createHttpServer, listen } from './http-server.ts'

/** The console's server with the demo's help desk, and the requests that the help desk's own server sent to the console. */
async function openDemo() {
  const received: { authorization: string | undefined; body: unknown }[] = []
  const respond: RequestListener = async (request, response) => {
    received.push({ authorization: request.headers.authorization, body: JSON.parse(await text(request)) })
    response.writeHead(201).end('{"token":"t"}')
  }
  const api = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1')
  await once(api, 'listening')
  onTestFinished(() => void api.close())
  const apiOrigin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  const helpDesk = demoHelpDesk({ consoleUrl: 'http://localhost:3000', apiOrigin, key: 'cde_demo' })
  const http = createHttpServer((_, response) => response.end('console'), {
    demoUrl: 'http://localhost:3000',
    helpDesk,
  })
  await listen(http.server, 0, '127.0.0.1')
  onTestFinished(() => http.close(0))
  const { port } = http.server.address() as AddressInfo
  const send = (path: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
    new Promise<{ status: number | undefined; body: string; policy: unknown }>((resolve, reject) => {
      const { method = 'GET', headers = {}, body } = options
      const target = { host: '127.0.0.1', port, path, method, headers: { host: 'embed.localhost:3000', ...headers } }
      httpRequest(target, (response) => {
        const policy = response.headers['content-security-policy']
        text(response).then((read) => resolve({ status: response.statusCode, body: read, policy }), reject)
      })
        .once('error', reject)
        .end(body)
    })
  return { send, received }
}

test('the help desk’s name shows its own page, and nothing of the console', async () => {
  const { send } = await openDemo()
  const page = await send('/?type=card')
  expect(page).toMatchObject({ status: 200, policy: expect.stringContaining("frame-ancestors 'none'") as unknown })
  expect(page.body).toContain('<carddesk-view>')
  for (const path of ['/sandbox', '/sign-in', '/api/health', '/embed', '/service/v1/ping', '/_next/static/x.js']) {
    expect(await send(path), path).toMatchObject({ status: 404, body: '' })
  }
  expect((await send('/sandbox', { headers: { host: 'localhost:3000' } })).body).toBe('console')
})

test('the help desk’s server creates tokens with its key for its own page alone', async () => {
  const { send, received } = await openDemo()
  const object = { environment: 'sandbox', type: 'payout', id: 'p' }
  const request = { method: 'POST', body: JSON.stringify(object) }
  expect(await send('/token', { ...request, headers: { 'sec-fetch-site': 'cross-site' } })).toMatchObject({
    status: 403,
  })
  expect(await send('/token', request)).toMatchObject({ status: 403 })
  expect(await send('/token', { ...request, headers: { 'sec-fetch-site': 'same-origin' } })).toMatchObject({
    status: 201,
    body: '{"token":"t"}',
  })
  expect(received).toEqual([
    {
      authorization: 'Bearer cde_demo',
      body: {
        ...object,
        agent: { name: 'Kim Lee', email: 'kim.lee@help.example.com' },
        ticket: '1042',
        origin: 'http://embed.localhost:3000',
      },
    },
  ])
})
