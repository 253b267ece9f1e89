import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { connect, findSlots } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { handleDocs } from './docs/handle.ts'
import { handleService } from './handle.ts'
import { cards } from './tables/cards.ts'
import { addCard } from './testing-records.ts'
import { basic, openTestService, testService, type TestService } from './testing.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService()
})
afterAll(() => opened.close())

const json = { 'content-type': 'application/json' }
/** What `fetch` wants beside a body that is a stream. */
const streaming = { duplex: 'half' }

test('an unknown path is a 404 and a wrong method a 405 with Allow, with or without credentials', async () => {
  for (const headers of [{}, { authorization: '' }] as Record<string, string>[]) {
    expect(await opened.send('GET', '/nowhere', { headers })).toMatchObject({
      status: 404,
      json: { code: 'NOT_FOUND' },
    })
    expect(await opened.send('GET', '', { headers })).toMatchObject({ status: 404 })
    const wrong = await opened.send('DELETE', '/cards', { headers })
    expect(wrong).toMatchObject({ status: 405, json: { code: 'METHOD_NOT_ALLOWED' } })
    expect(wrong.headers.get('allow')).toBe('GET, POST')
  }
  expect((await opened.send('POST', '/openapi.json')).headers.get('allow')).toBe('GET')
  expect((await opened.send('GET', '/openapi.json', { headers: { authorization: '' } })).status).toBe(200)
})

test('every response has a request id of its own, which no caller chooses', async () => {
  const headers = { 'x-request-id': 'mine' }
  const responses = [
    await opened.send('GET', '/ping', { headers }),
    await opened.send('GET', '/ping', { headers: { ...headers, authorization: '' } }),
    await opened.send('GET', '/openapi.json', { headers }),
    await opened.send('GET', '/secure-content/unknown', { headers }),
    await opened.control('GET', '/clock'),
  ]
  const ids = responses.map((response) => response.headers.get('x-request-id'))
  expect(new Set(ids).size).toBe(responses.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
})

test('every response has nosniff, and none but the docs may be stored', async () => {
  const docs = (method: string, path: string) => handleDocs(new Request(`http://service.test${path}`, { method }))
  await opened.control('POST', '/faults', { path: '/ping', status: 0 })
  const responses = [
    await opened.send('GET', '/ping'),
    await opened.send('GET', '/ping'),
    await opened.send('GET', '/ping', { headers: { authorization: '' } }),
    await opened.send('GET', '/nowhere'),
    await opened.send('DELETE', '/ping'),
    await opened.send('GET', '/openapi.json'),
    await opened.send('GET', '/secure-content/unknown'),
    await opened.control('GET', '/clock'),
    await opened.control('GET', '/nowhere'),
    await opened.control('GET', '/webhook-key'),
    await opened.control('GET', '/clock', undefined, { authorization: '' }),
    await docs('GET', '/service/docs/nowhere'),
    await docs('DELETE', '/service/docs'),
  ]
  expect(responses[0]?.status).toBe(502)
  for (const { headers } of [...responses, await docs('GET', '/service/docs')])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  for (const { headers } of responses) expect(headers.get('cache-control')).toBe('no-store')
  const [page, ...others] = [
    responses[6],
    ...responses.filter((_, index) => index !== 6),
    await docs('GET', '/service/docs'),
  ]
  for (const response of others)
    expect(response?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  // A card's number may be framed by any page that has its link.
  expect(page?.headers.get('content-security-policy')).toMatch(/^default-src 'none'.* sandbox$/)
})

test('Basic can be switched off', async () => {
  const { call, caller } = await testService({ settings: { acceptsBasic: false } })
  const response = await call('ping', { headers: { authorization: basic(caller.accessKey) } })
  expect(response).toMatchObject({ status: 401, json: { code: 'INVALID_ACCESS_KEY' } })
})

test('without a server of its own in front, the request’s URL is its target', async () => {
  const headers = { authorization: basic(opened.caller.accessKey) }
  const request = new Request('http://service.test/service/v1/ping?x=1', { headers })
  expect((await handleService(request, undefined, opened.service)).status).toBe(200)
})

test('a body is cut off beyond 1 MiB, with a content length or without', async () => {
  const target = await addCard(opened.service.db)
  const filler = 'x'.repeat(1024 * 1024)
  const exact = JSON.stringify({ ...target, filler: filler.slice(JSON.stringify({ ...target, filler: '' }).length) })
  expect(exact).toHaveLength(1024 * 1024)
  expect((await opened.send('POST', '/cards/lock', { body: exact, headers: json })).status).toBe(200)
  expect(await opened.send('POST', '/cards/unlock', { body: `${exact} `, headers: json })).toMatchObject({
    status: 413,
    json: { code: 'PAYLOAD_TOO_LARGE' },
  })

  const counted = await testService({ settings: { rateLimitPerMinute: 50 } })
  for (const [authorization, remaining] of [
    [basic(counted.caller.accessKey), '49'],
    ['', null],
  ] as const) {
    const headers = { ...json, authorization, 'content-length': String(exact.length + 1) }
    const response = await counted.send('POST', '/cards/unlock', { body: `${exact} `, headers })
    expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([413, remaining])
  }

  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1
      controller.enqueue(new Uint8Array(64 * 1024))
    },
  })
  expect((await opened.send('POST', '/cards/unlock', { body: endless, headers: json })).status).toBe(413)
  expect(sent).toBeLessThan(40)

  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) })
  expect((await opened.send('POST', '/cards/unlock', { body: broken, headers: json })).status).toBe(400)
})

test.each([
  ['application/json', 200],
  ['application/json; charset=utf-8', 200],
  ['Application/JSON;charset="UTF-8"', 200],
  ['application/json; charset=latin1', 415],
  ['text/json', 415],
  ['application/x-www-form-urlencoded', 415],
  ['', 415],
])('a POST of content type %j gets %i', async (contentType, status) => {
  const target = await addCard(opened.service.db)
  const body = new TextEncoder().encode(JSON.stringify(target))
  expect((await opened.send('POST', '/cards/lock', { body, headers: { 'content-type': contentType } })).status).toBe(
    status,
  )
})

test('an unexpected failure is a 500 that reveals nothing, with a code or on the card endpoints without', async () => {
  const service = await testService()
  const target = await addCard(service.service.db)
  await service.service.db.execute(sql`alter table service.cards rename to secret_cards`)
  const listed = await service.call('listCards', { query: { cardAccountId: target.cardAccountId } })
  expect(listed.status).toBe(500)
  expect(listed.json).toEqual({ code: 'INTERNAL_ERROR', message: expect.any(String) })
  const locked = await service.call('lockCard', { body: target })
  expect(locked.status).toBe(500)
  expect(locked.json).toEqual({ statusCode: 500, message: expect.any(String) })
  expect(`${listed.text}${locked.text}`).not.toMatch(/cards|relation|select|error:/i)
})

test.each([
  '/payouts/%ff/banks',
  '/payouts/%/banks',
  '/payouts//banks',
  '/payouts/..%2f/banks',
  '/cards?cardAccountId=%ff%',
  '/cards?%ff=%ff',
  '/cards?&&=&=',
])('the odd URL %s gets a 4xx', async (path) => {
  const { status } = await opened.send('GET', path)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
})

test('the body of a caller that is not authenticated is never read', async () => {
  for (const authorization of [null, 'Bearer a.b.c', basic('6f1c7a52-0000-4000-8000-000000000001'), 'Digest x']) {
    let isRead = false
    const body = new ReadableStream<Uint8Array>({ pull: () => void (isRead = true) }, { highWaterMark: 0 })
    const headers = { ...json, ...(authorization && { authorization }) }
    const url = 'http://service.test/service/v1/cards/lock'
    const request = new Request(url, { method: 'POST', body, headers, ...streaming })
    expect((await handleService(request, undefined, opened.service)).status).toBe(401)
    expect(isRead).toBe(false)
  }
})

/** A request to lock a card, to a service whose pool has one transaction at once and waits 100 ms for a lock. */
async function impatientLock(max: 1 | 2 = 1) {
  const target = await addCard(opened.service.db)
  const limits = { statementMs: 0, lockMs: 100, idleInTransactionMs: 0 }
  const db = connect(opened.databaseUrl, { max, limits })
  onTestFinished(() => db.$client.end())
  const send = (signal?: AbortSignal) => {
    const headers = { ...json, authorization: basic(opened.caller.accessKey), 'idempotency-key': target.cardId }
    const init = { method: 'POST', body: JSON.stringify(target), headers, ...(signal && { signal }) }
    const request = new Request('http://service.test/service/v1/cards/lock', init)
    return handleService(request, undefined, { ...opened.service, db })
  }
  const status = async () => {
    const [card] = await opened.service.db.select().from(cards).where(eq(cards.id, target.cardId))
    return card?.status
  }
  return { ...target, db, send, status }
}

test('a row that is locked for too long is a 503 without a cause, and the same key works afterwards', async () => {
  const { cardId, send, status } = await impatientLock()
  await inTransaction(opened.service.db, async (tx) => {
    await tx.execute(sql`select from service.cards where id = ${cardId} for update`)
    const refused = await send()
    expect(refused.status).toBe(503)
    expect(await refused.json()).toEqual({
      statusCode: 503,
      message: 'the service is not available at the moment',
    })
  })
  const repeated = await send()
  expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([200, null])
  expect(await status()).toBe('locked')
})

test.each([
  ['a connection', 1],
  ['its turn among the transactions', 2],
] as const)('a request whose caller goes away while it waits for %s has no effect', async (_, connections) => {
  const { db, send, status } = await impatientLock(connections)
  // The response's statements before its transaction, with what they prepare, are done by then.
  await db.execute(sql`select 1`)
  const caller = new AbortController()
  let sent: Promise<Response> | undefined
  await inTransaction(db, async () => {
    const takesTurn = vi.spyOn(findSlots(db), 'run')
    sent = send(caller.signal)
    if (connections === 1) await vi.waitFor(() => expect(db.$client.waitingCount).toBe(1))
    else await vi.waitFor(() => expect(takesTurn).toHaveBeenCalled())
    caller.abort()
  })
  expect((await sent)?.status).toBe(503)
  expect(await status()).toBe('active')
  expect((await send()).status).toBe(200)
})
