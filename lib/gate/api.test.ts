import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { currentStaff } from '#lib/auth/session.ts'
import { captureLog } from '#lib/console/testing/capture-log.ts'
import { openConsole, shareConsole } from '#lib/console/testing/open-console.ts'
import { database } from '#lib/db/connection.ts'
import { CallerBusy } from '#lib/db/errors.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { withSanitizedErrors } from '#lib/shared/sanitized-errors.ts'
import { sessions } from '#lib/tables/staff.ts'
import { answerEnvironmentRead, respondNotFound, toResponse } from './api.ts'

shareConsole({ seeded: 1 })

type Read = Parameters<typeof answerEnvironmentRead>[2]

const respond = async (sent: Request, environment: string, read: Read) =>
  toResponse(await answerEnvironmentRead(sent, environment, read))

const request = (read: Read, environment = 'sandbox', search = '') =>
  respond(new Request(`http://127.0.0.1:3000/api/${environment}/x${search}`), environment, read)

test('a response is JSON with no-store and a request id', async () => {
  const response = await request(async () => ({ rows: [] }))
  expect([response.status, await response.json()]).toEqual([200, { rows: [] }])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('an error has its status and { code, message, requestId }; the service’s request id where it was called', async () => {
  for (const [code, status] of [
    ['NOT_SIGNED_IN', 401],
    ['NOT_PERMITTED', 403],
    ['CARD_NOT_FOUND', 404],
    ['INVALID_PARAMETERS', 400],
    ['NOT_CONNECTED', 409],
    ['SERVICE_UNREACHABLE', 503],
  ] as const) {
    const response = await request(() => Promise.reject(new AppError(code, 'why')))
    const requestId = response.headers.get('x-request-id')
    expect([response.status, await response.json()]).toEqual([status, { code, message: 'why', requestId }])
  }
  const upstream = await request(() => Promise.reject(new AppError('SERVICE_REFUSED', 'why', 'upstream-1')))
  expect(await upstream.json()).toMatchObject({ requestId: 'upstream-1' })
})

test('an unexpected failure is a 500 that reveals nothing of its cause', async () => {
  const log = captureLog()
  const response = await request(() => Promise.reject(new Error('password of the database')))
  const body = await response.text()
  expect(response.status).toBe(500)
  expect(body).not.toContain('password')
  expect(JSON.parse(body)).toMatchObject({ code: 'UNEXPECTED', requestId: response.headers.get('x-request-id') })
  expect(log()).toContain(response.headers.get('x-request-id'))
})

test('a database that does not respond in time is a 503, also where its error was bared', async () => {
  captureLog()
  const slow: Read = async () => ({
    rows: await database().execute(sql`set local statement_timeout = 1; select pg_sleep(1)`),
  })
  const reads: Read[] = [slow, (...given) => withSanitizedErrors(() => slow(...given))]
  for (const read of reads) {
    const response = await request(read)
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'DATABASE_UNAVAILABLE' }])
  }
})

test('another environment than the two is not found, and nothing is read', async () => {
  const read = vi.fn<Read>()
  for (const environment of ['staging', '__proto__', 'Sandbox', '']) {
    expect((await request(read, environment)).status).toBe(404)
  }
  expect(read).not.toHaveBeenCalled()
  expect(respondNotFound().status).toBe(404)
})

test('a repeated search parameter is an array, a single one a text', async () => {
  const response = await request(async (_, search) => search, 'sandbox', '?a=1&b=1&b=2&__proto__=x')
  expect(await response.json()).toEqual(JSON.parse('{"a":"1","b":["1","2"],"__proto__":"x"}'))
})

test('personal data leaves masked, by the role of the reader', async () => {
  const desk = await openConsole({ seeded: 1 })
  const account = { account: { phoneNumber: '+85291234567' }, destination: { accountNumber: '004123456789' } }
  const reads: Record<string, unknown> = {}
  for (const role of [null, 'viewer', 'support', 'operations'] as const) {
    await desk.signIn(role)
    const response = await request(async () => account)
    const { account: shown, destination } = (await response.json()) as typeof account
    reads[role ?? 'nobody'] = [shown.phoneNumber, destination.accountNumber]
  }
  expect(reads).toEqual({
    nobody: ['•••• 4567', '•••• 6789'],
    viewer: ['•••• 4567', '•••• 6789'],
    support: ['+85291234567', '•••• 6789'],
    operations: ['+85291234567', '004123456789'],
  })
})

test('a request of the API reads the session once a second, and a revocation ends the next one', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const staffOf = () => request(async () => [await currentStaff(), await currentStaff()])
  const queries = vi.spyOn(Client.prototype, 'query')
  onTestFinished(() => queries.mockRestore())
  expect((await staffOf()).status).toBe(200)
  expect(queries).toHaveBeenCalledTimes(1)
  await desk.db.update(sessions).set({ revokedAt: new Date() })
  expect(await (await staffOf()).json()).toEqual([null, null])
})

test('a caller who has left gets no response, and nothing is logged of it', async () => {
  const log = captureLog()
  const leaving = new AbortController()
  const sent = new Request('http://127.0.0.1:3000/api/sandbox/x', { signal: leaving.signal })
  leaving.abort()
  const response = await respond(sent, 'sandbox', () => Promise.reject(leaving.signal.reason as Error))
  expect([response.status, await response.text(), log()]).toEqual([499, '', ''])
})

test('a person whose reads take every turn gets 429', async () => {
  const response = await request(() => Promise.reject(new CallerBusy()))
  expect([response.status, await response.json()]).toMatchObject([429, { code: 'TOO_MANY_ATTEMPTS' }])
})
