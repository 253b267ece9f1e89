import { createHash, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { expect, test } from './fixtures.ts'
import type { ServiceAccess } from './server.ts'
import { findCard } from './service-caller.ts'

type Reply = { status: number; headers: IncomingHttpHeaders; body: unknown }

/** Sends a target exactly as it is written; `fetch` would tidy it. Null means that the connection was dropped. */
async function send(
  { baseUrl }: ServiceAccess,
  method: string,
  target: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Reply | null> {
  const { hostname, port } = new URL(baseUrl)
  const sent = request({ hostname, port, method, path: target, headers, agent: false })
  sent.end(body)
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString()
    return { status: response.statusCode ?? 0, headers: response.headers, body: text ? JSON.parse(text) : null }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return null
    throw error
  }
}

function basic({ accessKey }: Pick<ServiceAccess, 'accessKey'>): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${accessKey}:`).toString('base64')}` }
}

/** A token made with nothing but node:crypto. */
function bearer(access: ServiceAccess, method: string, uri: string, body = ''): { authorization: string } {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    sub: access.accessKey,
    uri,
    method,
    body: createHash('sha256').update(body).digest('hex'),
    iat,
    exp: iat + 25,
  }
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  const signature = sign('RSA-SHA256', Buffer.from(signed), readFileSync(access.privateKeyFile, 'utf8'))
  return { authorization: `Bearer ${signed}.${signature.toString('base64url')}` }
}

test('accepts a curl with the access key as user and no password', async ({ access }) => {
  const response = await fetch(`${access.baseUrl}/ping`, {
    headers: basic(access),
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ message: 'pong' })
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('accepts a request that was signed by hand, path, query and body included', async ({ access }) => {
  const list = '/service/v1/cardaccounts?pageSize=2'
  expect(await send(access, 'GET', list, bearer(access, 'GET', list))).toMatchObject({ status: 200 })

  const lock = '/service/v1/cards/lock'
  const body = JSON.stringify({ cardAccountId: randomUUID(), cardId: randomUUID() })
  const json = { 'content-type': 'application/json', 'content-length': String(body.length) }
  const signed = { ...json, ...bearer(access, 'POST', lock, body) }
  expect(await send(access, 'POST', lock, signed, body)).toMatchObject({
    status: 400,
    body: { statusCode: 400, code: 'CARD_NUMBER_MISMATCH' },
  })
  const signedOther = { ...json, ...bearer(access, 'POST', lock, `${body} `) }
  expect(await send(access, 'POST', lock, signedOther, body)).toMatchObject({
    status: 401,
    body: { code: 'INVALID_SIGNATURE' },
  })
})

for (const target of [
  '/service/v1/cards?cardAccountId=%41%42&x=a//b',
  '/service/v1/cards?cardAccountId=%zz',
  "/service/v1/cardaccounts?xid=a'b(c)*!~",
]) {
  test(`verifies the signature over the request line as it was sent: ${target}`, async ({ access }) => {
    const token = bearer(access, 'GET', target)
    expect([200, 400]).toContain((await send(access, 'GET', target, token))?.status)
    expect(await send(access, 'GET', `${target}&y=1`, token)).toMatchObject({
      status: 401,
      body: { code: 'INVALID_SIGNATURE' },
    })
  })
}

for (const target of [
  '/service/v1/ping/',
  '/service/v1//ping',
  '/service/v1/%70ing',
  '/service/v1/ping%2F',
  '/service/v1/x/../ping',
  '/service/v1/PING',
  '/service/v1/%zz',
  '/service/v1/',
  '/service/v1',
]) {
  test(`there is nothing at ${target}: 404, with a request ID, and no redirect`, async ({ access }) => {
    expect(await send(access, 'GET', target, basic(access))).toMatchObject({
      status: 404,
      headers: { 'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown },
      body: { code: 'NOT_FOUND' },
    })
  })
}

test('another method is a 405 that names the right one', async ({ access }) => {
  expect(await send(access, 'DELETE', '/service/v1/ping', basic(access))).toMatchObject({
    status: 405,
    headers: { allow: 'GET' },
    body: { code: 'METHOD_NOT_ALLOWED' },
  })
})

test('a body over 1 MiB is a 413', async ({ service }) => {
  const response = await service.post('/cards/lock', { filler: 'x'.repeat(1024 * 1024) })
  expect(response).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
})

test('a POST that is not JSON is a 415', async ({ service }) => {
  const response = await service.post('/cards/lock', {}, { 'content-type': 'text/plain' })
  expect(response).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
})

test('without a key, or with a wrong one, it is a 401', async ({ access }) => {
  for (const headers of [{}, { authorization: 'Basic eDo=' }, basic({ accessKey: randomUUID() })]) {
    expect(await send(access, 'GET', '/service/v1/ping', headers)).toMatchObject({
      status: 401,
      body: { code: 'INVALID_ACCESS_KEY' },
    })
  }
})

test('an armed fault of status 0 drops the connection, once', async ({ access, service }) => {
  await service.control.armFault({ path: '/ping', status: 0 })
  expect(await send(access, 'GET', '/service/v1/ping', basic(access))).toBeNull()
  expect(await service.get('/ping')).toMatchObject({ status: 200 })
})

test('a response that is lost after its effect is there for the same key', async ({ service }) => {
  const card = await findCard(service, 'active')
  const key = { 'idempotency-key': randomUUID() }
  await service.control.armFault({ path: '/cards/lock', status: 502, after: true })
  expect(await service.post('/cards/lock', card, key)).toMatchObject({ status: 502 })
  const again = await service.post('/cards/lock', card, key)
  expect(again).toMatchObject({ status: 200, body: { status: 'locked' } })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await service.post('/cards/unlock', card)).toMatchObject({ status: 200, body: { status: 'active' } })
})
