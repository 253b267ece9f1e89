import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { maskForReader } from '#lib/auth/masked-reads.ts'
import { listAudit } from '#lib/console/audit/list.ts'
import { listRequests, readRequest } from '#lib/console/requests/list.ts'
import { cardIn } from '#lib/console/testing/cards.ts'
import { setRequestHeaders } from '#lib/console/testing/next-headers.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { deleteExpired } from '#lib/db/retention.ts'
import { requestRules } from '#lib/jobs/retention.ts'
import { connectionHeader, connections } from '#lib/shared/connections.ts'
import { dayMs } from '#lib/shared/time.ts'
import { serviceRequests } from '#lib/tables/requests.ts'
import { inBackground } from './background.ts'
import { callService } from './environments.ts'
import { mostWaiting, noteServiceCall, requestsWritten } from './request-log.ts'

const desk = shareConsole({ seeded: 4 })
const environment = 'sandbox' as const

async function written(search: Parameters<typeof listRequests>[1] = {}) {
  await requestsWritten()
  return (await listRequests(environment, search)).requests
}

test('an operation’s request is found by each id, with both bodies, and so is its audit entry', async () => {
  await desk.signIn('operations')
  const consoleRequestId = randomUUID()
  connections().set(consoleRequestId, { remoteAddress: '192.0.2.1', target: '/', socket: undefined as never })
  setRequestHeaders({ [connectionHeader]: consoleRequestId })
  onTestFinished(() => setRequestHeaders({}))
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  await runAction('card.lock', { ...target, operationId, reason: 'lost-or-stolen' })
  const [request] = await written({ operationId })
  if (!request) throw new Error('the request is not in the log')
  expect(request).toMatchObject({
    endpoint: 'lockCard',
    method: 'POST',
    path: '/cards/lock',
    status: 200,
    attempts: 1,
    operationId,
    consoleRequestId,
    isBackground: false,
  })
  expect(await readRequest(environment, String(request.id))).toMatchObject({
    requestBody: expect.stringContaining(target.cardId),
    responseBody: expect.stringContaining('locked'),
  })
  expect(await written({ requestId: request.requestId ?? '' })).toEqual([request])
  const ofThePage = await written({ requestId: consoleRequestId })
  expect(ofThePage.map(({ path }) => path)).toContain('/cards/lock')
  for (const requestId of [request.requestId ?? '', consoleRequestId]) {
    const { entries } = await listAudit(environment, { requestId })
    expect(entries.map((entry) => entry.operationId)).toEqual([operationId])
  }
})

test('retries are one row with their number; a call without a response has no status', async () => {
  await desk.signIn('operations')
  let failures = 2
  desk.intercept.before = (_, response) => {
    if (failures-- <= 0) return false
    response.writeHead(503).end()
    return true
  }
  await callService(environment, 'ping', {})
  expect((await written())[0]).toMatchObject({ endpoint: 'ping', status: 200, attempts: 3 })
  desk.intercept.before = (request) => {
    request.socket.destroy()
    return true
  }
  await callService(environment, 'ping', {}).catch(() => undefined)
  expect((await written({ failed: 'true' }))[0]).toMatchObject({ endpoint: 'ping', status: null })
})

test('background requests are listed only where that is chosen, and their bodies only where they fail', async () => {
  await desk.signIn('operations')
  await inBackground(() => callService(environment, 'listAccounts', {}))
  expect((await written()).filter(({ isBackground }) => isBackground)).toEqual([])
  const [request] = await written({ background: 'true' })
  expect(request).toMatchObject({ endpoint: 'listAccounts', isBackground: true })
  expect(await readRequest(environment, String(request?.id))).toMatchObject({ responseBody: null, responseNote: null })
})

const call = {
  name: 'listCardAccounts',
  method: 'GET',
  path: '/cardaccounts',
  idempotencyKey: null,
  isBackground: false,
  bytes: null,
  status: 200,
  code: null,
  requestId: null,
  text: '{}',
  attempts: 1,
  durationMs: 1,
} as const

test('no card number, PIN or secret is stored, and personal data is masked by role', async () => {
  const cardNumber = '4242424242424242'
  const pin = Buffer.from('{"cardAccountId":"a","cardId":"b","pin":"271828"}')
  noteServiceCall(environment, {
    ...call,
    name: 'changeCardPin',
    method: 'POST',
    path: '/cards/change-pin',
    bytes: pin,
  })
  noteServiceCall(environment, { ...call, path: `/cardaccounts?xid=${cardNumber}`, requestId: cardNumber })
  noteServiceCall(environment, { ...call, name: 'getCardSensitiveInfo', text: '{"url":"https://x/secret-link"}' })
  noteServiceCall(environment, { ...call, text: `{"note":"${cardNumber}\\u0000","email":"olive@example.com"}` })
  noteServiceCall(environment, { ...call, text: 'x'.repeat(200_000) })
  await requestsWritten()
  const { rows } = await desk.db.execute<{ text: string }>(
    sql`select r::text as text from console.service_requests r order by id desc limit 5`,
  )
  const text = rows.map((row) => row.text).join('\n')
  expect(text).not.toMatch(/4242424242424242|271828|secret-link/)
  expect(text).toContain('too large')
  await desk.signIn('admin')
  const mail = (await written()).at(1)
  const shown = async () => maskForReader(await readRequest(environment, String(mail?.id)), environment)
  expect((await shown()).responseBody).toContain('o•••@example.com')
  await desk.signIn('operations')
  expect((await shown()).responseBody).toContain('olive@example.com')
})

test('an unavailable table costs the log, and no request', async () => {
  await desk.db.execute(sql`alter table console.service_requests rename to requests_away`)
  await callService(environment, 'ping', {})
  await requestsWritten()
  await desk.db.execute(sql`alter table console.requests_away rename to service_requests`)
  await desk.signIn('operations')
  await callService(environment, 'ping', {})
  expect((await written())[0]).toMatchObject({ endpoint: 'ping' })
})

test('more calls than fit are not held, and old rows are deleted by age and number', async () => {
  await desk.signIn('operations')
  await requestsWritten()
  await desk.db.delete(serviceRequests)
  for (let index = 0; index < mostWaiting + 50; index += 1) noteServiceCall(environment, { ...call, path: `/${index}` })
  await requestsWritten()
  expect(await desk.db.$count(serviceRequests)).toBe(mostWaiting)
  expect((await written({ pageSize: 1 }))[0]?.path).toBe(`/${mostWaiting + 49}`)
  const rules = requestRules({ people: 40, background: 40 })
  await deleteExpired(desk.db, rules)
  expect(await desk.db.$count(serviceRequests)).toBe(40)
  // Those of another environment are no reason to delete any.
  await desk.db.update(serviceRequests).set({ environment: 'production' })
  noteServiceCall(environment, call)
  await requestsWritten()
  await deleteExpired(desk.db, rules)
  expect(await desk.db.$count(serviceRequests)).toBe(41)
  await deleteExpired(desk.db, rules, new Date(Date.now() + 31 * dayMs))
  expect(await desk.db.$count(serviceRequests)).toBe(0)
})

test('a request of another environment, a wrong id and a wrong filter are refused', async () => {
  await desk.signIn('operations')
  noteServiceCall(environment, call)
  const [request] = await written()
  for (const id of ['0', 'x', '9'.repeat(30)]) {
    await expect(readRequest(environment, id)).rejects.toMatchObject({ code: 'REQUEST_NOT_FOUND' })
  }
  await expect(readRequest('production', String(request?.id))).rejects.toMatchObject({ code: 'REQUEST_NOT_FOUND' })
  await expect(listRequests(environment, { method: 'PUT' as never })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  })
})
