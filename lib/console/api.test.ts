import { expect, test, vi } from 'vitest'
import { answerNotFound, answerRead } from './api.ts'
import { Refusal } from './refusal.ts'
import { captureLog } from './testing/capture-log.ts'

const ask = (read: () => Promise<unknown>, environment = 'sandbox', search = '') =>
  answerRead(
    new Request(`http://127.0.0.1:3000/api/${environment}/x${search}`),
    { params: Promise.resolve({ environment }) },
    read as never,
  )

test('an answer is JSON that nobody keeps, with a request id', async () => {
  const response = await ask(async () => ({ rows: [] }))
  expect([response.status, await response.json()]).toEqual([200, { rows: [] }])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('a refusal has its status and { code, message, requestId }; the service’s own request id where it was asked', async () => {
  for (const [code, status] of [
    ['NOT_SIGNED_IN', 401],
    ['NOT_PERMITTED', 403],
    ['CARD_NOT_FOUND', 404],
    ['INVALID_PARAMETERS', 400],
    ['NOT_CONNECTED', 409],
    ['SERVICE_UNREACHABLE', 503],
  ] as const) {
    const response = await ask(() => Promise.reject(new Refusal(code, 'why')))
    const requestId = response.headers.get('x-request-id')
    expect([response.status, await response.json()]).toEqual([status, { code, message: 'why', requestId }])
  }
  const upstream = await ask(() => Promise.reject(new Refusal('SERVICE_REFUSED', 'why', 'upstream-1')))
  expect(await upstream.json()).toMatchObject({ requestId: 'upstream-1' })
})

test('what nobody foresaw is a 500 that tells nothing of its cause', async () => {
  const log = captureLog()
  const response = await ask(() => Promise.reject(new Error('password of the database')))
  const body = await response.text()
  expect(response.status).toBe(500)
  expect(body).not.toContain('password')
  expect(JSON.parse(body)).toMatchObject({ code: 'UNEXPECTED', requestId: response.headers.get('x-request-id') })
  expect(log()).toContain(response.headers.get('x-request-id'))
})

test('another environment than the two is not found, and nothing is read', async () => {
  const read = vi.fn<() => Promise<unknown>>()
  for (const environment of ['staging', '__proto__', 'Sandbox', '']) {
    expect((await ask(read, environment)).status).toBe(404)
  }
  expect(read).not.toHaveBeenCalled()
  expect(answerNotFound().status).toBe(404)
})

test('a repeated search parameter is an array, a single one a text', async () => {
  const response = await ask(
    (async (_: unknown, search: unknown) => search) as never,
    'sandbox',
    '?a=1&b=1&b=2&__proto__=x',
  )
  expect(await response.json()).toEqual(JSON.parse('{"a":"1","b":["1","2"],"__proto__":"x"}'))
})
