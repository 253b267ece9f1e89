import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sessionCookieName } from '#lib/auth/token.ts'
import { limitJob } from '#lib/console/testing/bulk.ts'
import { cookies } from '#lib/console/testing/next-headers.ts'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { bulkJobsDone } from '#lib/operations/bulk/run.ts'
import { startBulkJob } from '#lib/operations/bulk/start.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { setTracer } from '#lib/shared/tracing.ts'
import { respondWithoutNext } from './answer-read.ts'
import { apiHeaders } from './security-headers.ts'

const cardAccountId = randomUUID()
const transactionsPath = `/api/sandbox/card-accounts/${cardAccountId}/transactions`

/** A server whose requests Next never has; those that are left to it get 204. */
async function openServer() {
  const server = createServer((request, response) => {
    if (!respondWithoutNext(request, response)) response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  /** `path` goes on the request line as it is. */
  return (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const sent = send({ host: '127.0.0.1', port, path, method, headers, agent: false })
    sent.end()
    const response = once(sent, 'response') as Promise<[IncomingMessage]>
    response.catch(() => undefined)
    return { sent, response }
  }
}

async function signedIn() {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  return { desk, ...(await cookieNow()) }
}

async function cookieNow() {
  const name = sessionCookieName(consoleSettings())
  return { cookie: `other=1; ${name}=${(await cookies()).get(name)?.value}` }
}

test('a read has the headers of the API and is for the session of its own cookie alone', async () => {
  const { cookie } = await signedIn()
  const get = await openServer()
  const [response] = await get('/api/sandbox/card-accounts?currency=HKD', { cookie }).response
  expect([response.statusCode, JSON.parse(await text(response))]).toEqual([200, expect.objectContaining({})])
  expect(response.headers).toMatchObject({
    ...apiHeaders,
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  })
  for (const others of [undefined, { cookie: 'other=1' }, { cookie: `${cookie.slice(0, -3)}xyz` }]) {
    const [refused] = await get('/api/sandbox/card-accounts', others).response
    expect([refused.statusCode, JSON.parse(await text(refused))]).toMatchObject([401, { code: 'NOT_SIGNED_IN' }])
  }
})

test('a long response is compressed for a browser that takes it', async () => {
  const { desk, cookie } = await signedIn()
  const transactions = Array.from({ length: 40 }, () => ({ id: randomUUID(), cardAccountId }))
  desk.intercept.after = () => Response.json({ transactions, prevPageToken: null, nextPageToken: null })
  const get = await openServer()
  const [plain] = await get(transactionsPath, { cookie }).response
  const [zipped] = await get(transactionsPath, { cookie, 'accept-encoding': 'gzip, br' }).response
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  const idsIn = (body: string) =>
    (JSON.parse(body) as { transactions: { id: string }[] }).transactions.map(({ id }) => id)
  const ids = transactions.map(({ id }) => id)
  expect([idsIn(await text(plain)), idsIn(await text(zipped.pipe(createGunzip())))]).toEqual([ids, ids])
})

test('the results of a bulk job are a file', async () => {
  const desk = await openConsole({ seeded: 1 })
  const member = await desk.signIn('operations')
  if (!member) throw new Error('somebody has signed in')
  const job = limitJob(member, [randomUUID()])
  await startBulkJob(job)
  await bulkJobsDone()
  const { cookie } = await cookieNow()
  const get = await openServer()
  const [response] = await get(`/api/sandbox/bulk-jobs/${job.id}/csv`, { cookie }).response
  expect(response.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', ...apiHeaders })
  expect([response.statusCode, await text(response)]).toEqual([200, expect.stringMatching(/"Row","Result","Account"/)])
})

test('what is no plain read of an environment is left to Next', async () => {
  const { cookie } = await signedIn()
  const get = await openServer()
  const statusOf = async (path: string, method?: string) => {
    const [response] = await get(path, { cookie }, method).response
    response.resume()
    return response.statusCode
  }
  const paths = [
    '/api/sandbox/live',
    '/api/sandbox/fees.csv',
    '/api/sandbox/fees/',
    '/api/sandbox//fees',
    '/api/sandbox',
  ]
  for (const path of [
    ...paths,
    '/api/sandbox/f%65es',
    '/api/staging/fees',
    '/api/health',
    '/sandbox/fees',
    '//api/sandbox/fees',
  ])
    expect([path, await statusOf(path)]).toEqual([path, 204])
  for (const method of ['HEAD', 'POST', 'DELETE']) expect(await statusOf('/api/sandbox/fees', method)).toBe(204)
  expect(await statusOf('/api/sandbox/fees')).toBe(200)
  setTracer({ run: (_name, _facts, work) => work(() => undefined), headers: () => ({}) })
  onTestFinished(() => setTracer(null))
  expect(await statusOf('/api/sandbox/fees')).toBe(204)
})

test('a caller who leaves ends the call of the service', async () => {
  const { desk, cookie } = await signedIn()
  const called = Promise.withResolvers<boolean>()
  const left = vi.fn()
  desk.intercept.before = (_request, response) => {
    called.resolve(true)
    response.once('close', left)
    return true
  }
  const get = await openServer()
  const { sent } = get(transactionsPath, { cookie })
  await called.promise
  sent.destroy()
  await vi.waitFor(() => expect(left).toHaveBeenCalled())
})
