import type { ServerResponse } from 'node:http'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ServiceError } from '#lib/client/service-error.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { inRequestContext } from '#lib/shared/request-context.ts'
import { endpointProblems, environmentHealth } from '#lib/tables/connection.ts'
import { callService, requireService } from './environments.ts'
import { noteError, noteWorking } from './health-record.ts'
import { readHealth } from './health.ts'
import { isSlowButThere, noteDuration } from './process-health.ts'

const desk = shareConsole({ seeded: 2 })

beforeEach(async () => {
  await desk.db.delete(endpointProblems)
  await desk.db.delete(environmentHealth)
})

type Respond = (response: ServerResponse) => void
const json =
  (status: number, body: object, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-9', ...headers })
    response.end(JSON.stringify(body))
  }
const html: Respond = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
const dropped: Respond = (response) => void response.destroy()
const redirect: Respond = (response) => response.writeHead(302, { location: 'https://login.example.com' }).end()

/** More than 10 MiB. */
const tooLarge: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 11 * 1024 * 1024 })
  response.end(Buffer.alloc(11 * 1024 * 1024, ' '))
}

function respondTo(path: string | null, respond: Respond): void {
  desk.intercept.before = (request, response) => {
    const isAbout = path === null || new URL(request.url ?? '', 'http://service.test').pathname.endsWith(path)
    if (isAbout) respond(response)
    return isAbout
  }
}

function withoutResponse(code: string): ServiceError {
  return new ServiceError('no response', {
    outcome: 'unknown',
    status: null,
    code,
    requestId: null,
    attempts: 1,
    retryAfterMs: null,
    diagnosis: null,
  })
}

/** Calls an endpoint and returns the message of its failure, or null. */
const call = (name: 'ping' | 'listAccounts' | 'listAccountTransactions' | 'listFees' | 'listWebhooks') =>
  callService('sandbox', name, {}).then(
    () => null,
    (error: Error) => error.message,
  )

test('online after a success, and unreachable while the service fails', async () => {
  expect(await readHealth('sandbox')).toMatchObject({
    state: 'online',
    since: null,
    lastResponseAt: null,
    endpoints: [],
  })
  await call('ping')
  expect(await readHealth('sandbox')).toMatchObject({ state: 'online', lastResponseAt: expect.any(String) })
  respondTo(null, json(503, {}))
  await call('ping')
  const down = await readHealth('sandbox')
  expect(down).toMatchObject({ state: 'unreachable', lastProblem: { endpoint: 'GET /ping', status: 503 } })
  expect(down.connected && down.since).toBe(down.connected && down.unreachableSince)
})

test.each([
  ['rejected', json(401, { code: 'INVALID_ACCESS_KEY' }), { status: 401, code: 'INVALID_ACCESS_KEY' }],
  ['rejected', json(403, {}), { status: 403, code: null }],
  ['unreadable', html, { status: 200, code: 'RESPONSE_UNREADABLE' }],
  ['unreadable', redirect, { status: 302, code: 'REDIRECTED' }],
  ['unreadable', tooLarge, { status: 200, code: 'RESPONSE_TOO_LARGE' }],
] as const)(
  '%s while the last requests all were, and online with the next success',
  async (state, respond, problem) => {
    respondTo(null, respond)
    await call('ping')
    await call('listFees')
    expect(await readHealth('sandbox')).toMatchObject({
      state,
      since: expect.any(String),
      unreachableSince: null,
      lastProblem: { endpoint: 'GET /fees', ...problem },
      endpoints: [
        { name: 'listFees', kind: state },
        { name: 'ping', kind: state },
      ],
    })
    delete desk.intercept.before
    await call('ping')
    await call('listFees')
    expect(await readHealth('sandbox')).toMatchObject({
      state: 'online',
      since: null,
      lastProblem: null,
      endpoints: [],
    })
  },
)

test('one endpoint that is rejected among others that work leaves the service online', async () => {
  await call('ping')
  respondTo('/accounts', json(403, { code: 'FORBIDDEN' }))
  for (let round = 0; round < 4; round += 1) {
    await call('listAccounts')
    await call('ping')
  }
  expect(await readHealth('sandbox')).toMatchObject({
    state: 'online',
    endpoints: [{ endpoint: 'GET /accounts', kind: 'rejected', status: 403, requestId: 'request-9' }],
  })
})

test('endpoints that are rejected are the whole service only where three of them are, and nothing else was accepted', async () => {
  await call('ping')
  respondTo(null, json(403, { code: 'FORBIDDEN' }))
  for (let round = 0; round < 4; round += 1) {
    await call('listAccounts')
    await call('listAccountTransactions')
  }
  expect(await readHealth('sandbox')).toMatchObject({ state: 'online', endpoints: [{}, {}] })
  await call('listFees')
  expect(await readHealth('sandbox')).toMatchObject({ state: 'rejected' })
})

test('a rejected key is the whole service after three requests of one endpoint', async () => {
  await call('ping')
  respondTo(null, json(401, { code: 'INVALID_ACCESS_KEY' }))
  for (let round = 0; round < 3; round += 1) await call('ping')
  expect(await readHealth('sandbox')).toMatchObject({ state: 'rejected' })
})

test.each([
  ['a dropped connection', dropped],
  ['a 500', json(500, {})],
])('%s of one endpoint leaves the service online, of two it is not responding', async (_, respond) => {
  await call('ping')
  respondTo('/fees', respond)
  for (let round = 0; round < 3; round += 1) await call('listFees')
  expect(await readHealth('sandbox')).toMatchObject({ state: 'online', unreachableSince: null })
  respondTo(null, respond)
  await call('listAccounts')
  expect(await readHealth('sandbox')).toMatchObject({ state: 'unreachable' })
})

test('a 404 without a business code is a missing endpoint, named on the page; one of an unknown object is not', async () => {
  await call('ping')
  respondTo('/fees', json(404, { code: 'NOT_FOUND' }))
  expect(await call('listFees')).toBe('GET /fees isn’t available on this service (404).')
  respondTo('/accounts/transactions', json(404, { code: 'ACCOUNT_NOT_FOUND', message: 'no such account' }))
  await call('listAccountTransactions')
  expect(await readHealth('sandbox')).toMatchObject({
    state: 'online',
    endpoints: [{ name: 'listFees', kind: 'missing', status: 404, since: expect.any(String) }],
  })
  delete desk.intercept.before
  await call('listFees')
  expect(await readHealth('sandbox')).toMatchObject({ endpoints: [] })
})

test('each 404 of an endpoint without parameters means a missing endpoint, whatever its code', async () => {
  respondTo('/accounts', json(404, { code: 'RESOURCE_MISSING', message: 'gone' }))
  expect(await call('listAccounts')).toBe('GET /accounts isn’t available on this service (404).')
  expect(await readHealth('sandbox')).toMatchObject({ endpoints: [{ name: 'listAccounts', kind: 'missing' }] })
})

test.each([
  [500, { message: 'Internal' }, 'GET /fees (500): Internal.'],
  [429, { code: 'SLOW_DOWN', message: 'Too many' }, 'GET /fees (429): Too many.'],
  [418, { code: 'TEAPOT', message: 'short and stout' }, 'GET /fees (418): short and stout.'],
])('names the endpoint and the status %i with a text of the service', async (status, body, expected) => {
  respondTo('/fees', json(status, body))
  expect(await call('listFees')).toBe(expected)
})

test('a response of another form is a problem of its endpoint, with what was expected', async () => {
  respondTo('/webhooks', json(200, { items: [] }))
  await call('listWebhooks')
  expect(await readHealth('sandbox')).toMatchObject({
    state: 'online',
    endpoints: [
      { name: 'listWebhooks', kind: 'unexpected', diagnosis: expect.stringMatching(/GET \/webhooks returned/) },
    ],
  })
})

test.each([414, 431])('a %d without a code is a problem of its endpoint, in plain words', async (status) => {
  await call('ping')
  respondTo('/fees', (response) => response.writeHead(status).end())
  expect(await call('listFees')).toBe(
    `GET /fees (${status}): The card service doesn’t accept a request this long. Its page token or the filter exceeds its limit for URLs and headers.`,
  )
  expect(await readHealth('sandbox')).toMatchObject({
    state: 'online',
    endpoints: [{ name: 'listFees', kind: 'unexpected', status, diagnosis: expect.stringContaining('this long') }],
  })
})

test('a 401 with differing clocks is reported as such, whatever its text', async () => {
  const date = new Date(Date.now() + 120_000).toUTCString()
  respondTo(null, json(401, { code: 'WHATEVER', message: 'No entry.' }, { date }))
  const message = await call('ping')
  const clock = expect.stringMatching(/clock is 1[12]\d s ahead of this server’s/)
  expect(message).toEqual(clock)
  expect(message).toMatch(
    /^The card service refuses Carddesk’s credentials\. It says: .* Tell an admin: The card service’s clock/,
  )
  expect(await readHealth('sandbox')).toMatchObject({ state: 'rejected', lastProblem: { diagnosis: clock } })
})

test('slow while the median of the last requests is above two seconds', async () => {
  for (let number = 0; number < 4; number += 1) noteDuration('sandbox', 3000)
  noteDuration('sandbox', 10)
  await call('ping')
  expect(await readHealth('sandbox')).toMatchObject({ state: 'slow', since: expect.any(String), lastProblem: null })
  for (let number = 0; number < 20; number += 1) noteDuration('sandbox', 10)
  respondTo('/accounts', json(403, {}))
  await call('listAccounts')
  delete desk.intercept.before
  await call('listAccounts')
  expect(await readHealth('sandbox')).toMatchObject({ state: 'online', since: null })
})

test.each(['TIMED_OUT', 'CIRCUIT_OPEN'])(
  '%s soon after a response is slow, and online with the next one',
  async (code) => {
    await call('ping')
    await noteError('sandbox', 'listFees', withoutResponse(code))
    expect(await readHealth('sandbox')).toMatchObject({ state: 'slow', unreachableSince: null, lastProblem: null })
    await call('ping')
    expect(await readHealth('sandbox')).toMatchObject({ state: 'online', since: null })
  },
)

test('a service that times out without a response in the last minute is unreachable', async () => {
  await noteError('sandbox', 'ping', withoutResponse('TIMED_OUT'))
  expect(await readHealth('sandbox')).toMatchObject({ state: 'unreachable' })
  await call('ping')
  await noteError('sandbox', 'ping', withoutResponse('CONNECTION_FAILED'))
  expect(await readHealth('sandbox')).toMatchObject({ state: 'unreachable' })
})

test('reads of a slow service that responds wait longer', async () => {
  await call('ping')
  expect(isSlowButThere('sandbox')).toBe(false)
  const called = vi.spyOn(requireService('sandbox'), 'call')
  onTestFinished(() => called.mockRestore())
  const deadlineOfPing = async () => {
    expect(await call('ping')).toBe(null)
    return called.mock.lastCall?.[2]?.deadlineMs
  }
  expect(await deadlineOfPing()).toBe(8000)
  for (let number = 0; number < 6; number += 1) noteDuration('sandbox', 8000)
  expect(isSlowButThere('sandbox')).toBe(true)
  expect(await deadlineOfPing()).toBe(20_000)
})

test('a caller who disconnects aborts the request to the service without an effect on its health', async () => {
  await call('ping')
  const closed = Promise.withResolvers<void>()
  const received = Promise.withResolvers<void>()
  respondTo('/fees', (response) => {
    response.on('close', closed.resolve)
    received.resolve()
  })
  const leaving = new AbortController()
  const read = inRequestContext({ signal: leaving.signal }, () => callService('sandbox', 'listFees', {}))
  await received.promise
  leaving.abort(new Error('left'))
  await expect(read).rejects.toThrow('left')
  await closed.promise
  expect(await readHealth('sandbox')).toMatchObject({ state: 'online', unreachableSince: null, endpoints: [] })
})

test('a read that was refused for the number of requests is not sent before the time that the service named', async () => {
  let received = 0
  respondTo('/fees', (response) => {
    received += 1
    response.writeHead(429, { 'retry-after': '1' }).end()
  })
  const refused = /^The card service accepts no more requests of this kind for \d s\.$/
  expect(await call('listFees')).toMatch(refused)
  const sent = received
  expect(await call('listFees')).toMatch(refused)
  expect(received).toBe(sent)
  delete desk.intercept.before
  expect(await call('listAccounts')).toBeNull()
  await vi.waitFor(async () => expect(await call('listFees')).toBeNull())
})

test('a problem of an endpoint ends when a check finds that it works, and is forgotten after an hour without a call', async () => {
  await call('ping')
  respondTo('/fees', json(404, {}))
  await call('listFees')
  await noteWorking('sandbox', ['listFees'], Date.now() - 60_000)
  expect(await readHealth('sandbox')).toMatchObject({ endpoints: [{ name: 'listFees' }] })
  await noteWorking('sandbox', ['listFees'], Date.now() + 1000)
  expect(await readHealth('sandbox')).toMatchObject({ endpoints: [] })
  await call('listFees')
  await desk.db.update(endpointProblems).set({ lastAt: new Date(Date.now() - 61 * 60_000) })
  await call('ping')
  respondTo(null, json(503, {}))
  await call('ping')
  expect(await readHealth('sandbox')).toMatchObject({ state: 'unreachable', endpoints: [] })
})

test('a rejection whose code cannot be stored is recorded', async () => {
  respondTo(null, json(401, { code: 'EXPIRED\0\ud83d', message: 'no' }))
  await call('ping')
  await call('ping')
  expect(await readHealth('sandbox')).toMatchObject({ state: 'rejected' })
})
