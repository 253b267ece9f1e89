import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, afterAll, expect, test } from 'vitest'
import { registerAccessKey } from '../access-keys.ts'
import { examples } from '../testing-examples.ts'
import { addCard } from '../testing-records.ts'
import { basic, openTestService, testService, type TestService } from '../testing.ts'
import { findRequest, mostRows, mostWaiting, requestsLogged } from './request-log.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ seeded: 3 })
})
afterAll(() => opened.close())

const json = { 'content-type': 'application/json' }
const cardNumber = '4242424242424242'

async function logged(query = ''): Promise<ReturnType<typeof JSON.parse>> {
  return (await opened.control('GET', `/requests${query}`)).json
}

async function exchangeOf(requestId: string | null): Promise<ReturnType<typeof JSON.parse>> {
  return (await logged(`?requestId=${requestId}`)).request
}

test('a request is listed with its outcome, newest first, and found with both bodies', async () => {
  const accounts = await opened.send('GET', '/cardaccounts?pageSize=1')
  const body = JSON.stringify({ id: 'no uuid' })
  const refused = await opened.send('POST', '/fees/waive', { body, headers: { ...json, 'idempotency-key': 'try-1' } })
  const unknown = await opened.send('GET', '/nowhere')
  const { requests } = await logged('?limit=3')
  expect(requests).toMatchObject([
    { method: 'GET', path: '/nowhere', endpoint: null, status: 404, code: 'NOT_FOUND' },
    { method: 'POST', path: '/fees/waive', endpoint: 'waiveFee', status: 400, code: 'INVALID_PARAMETERS' },
    { method: 'GET', path: '/cardaccounts?pageSize=1', endpoint: 'listCardAccounts', status: 200, code: null },
  ])
  expect(requests.map(({ requestId }: { requestId: string }) => requestId)).toEqual(
    [unknown, refused, accounts].map(({ headers }) => headers.get('x-request-id')),
  )
  expect(await exchangeOf(refused.headers.get('x-request-id'))).toMatchObject({
    idempotencyKey: 'try-1',
    requestBody: body,
    responseBody: refused.text,
  })
  expect((await exchangeOf(accounts.headers.get('x-request-id'))).responseBody).toBe(accounts.text)
})

test('the list filters by method and failure, and its cursor goes on without a gap', async () => {
  for (let count = 0; count < 5; count += 1) await opened.send('GET', `/cardaccounts?pageSize=${count}`)
  const first = await logged('?limit=2&method=GET')
  const second = await logged(`?limit=2&method=GET&cursor=${first.nextCursor}`)
  const both = await logged('?limit=4&method=GET')
  expect([...first.requests, ...second.requests]).toEqual(both.requests)
  const failed = await logged('?failed=true')
  expect(failed.requests.length).toBeGreaterThan(0)
  for (const { status } of failed.requests) expect(status).toBeGreaterThanOrEqual(400)
  const wrong = await opened.control('GET', '/requests?limit=0&cursor=x&method=PUT')
  expect(wrong.status).toBe(400)
  for (const field of ['limit', 'cursor', 'method']) expect(wrong.json.message).toContain(field)
})

test('requests of background work, of strangers and of other keys are not listed', async () => {
  const sent = [
    await opened.send('GET', '/accounts', { headers: { priority: 'u=7' } }),
    await opened.send('GET', '/accounts', { headers: { authorization: '' } }),
  ]
  const { db } = opened.service
  const { rows } = await db.execute<{ pem: string }>(sql`select public_key_pem as pem from service.access_keys`)
  const other = randomUUID()
  await registerAccessKey(db, { id: other, name: 'other', publicKeyPem: rows[0]?.pem ?? '' })
  const foreign = await opened.send('GET', '/accounts', { headers: { authorization: basic(other) } })
  expect(foreign.status).toBe(200)
  const foreignId = foreign.headers.get('x-request-id')
  await requestsLogged(db)
  expect(await findRequest(db, other, foreignId ?? '')).toMatchObject({ path: '/accounts' })
  const { requests } = await logged('?limit=200')
  expect(requests.map(({ requestId }: { requestId: string }) => requestId)).not.toContain(foreignId)
  for (const { headers } of [...sent, foreign]) expect(await exchangeOf(headers.get('x-request-id'))).toBeNull()
})

test('no card number, PIN or secret link is stored, however it is written', async () => {
  const { service, send, call } = opened
  const { cardAccountId, cardId } = await addCard(service.db)
  const spaced = cardNumber.replaceAll(/(.{4})(?=.)/g, '$1 ')
  const escaped = cardNumber.replace('4', String.raw`\u0034`)
  await call('changeCardPin', { body: { cardAccountId, cardId, pin: '271828' } })
  await call('changeCardPin', { body: { cardAccountId, cardId, pin: '271828', note: '271828' } })
  await send('POST', '/cards/change-pin-2', { body: JSON.stringify({ pin: '271828' }), headers: json })
  await send('POST', '/cards/lock', { body: '{"pin":"271828', headers: json })
  await call('lockCard', { body: { cardAccountId, cardId, comment: { PIN: '271828', newPin: 271828 } } })
  await call('lockCard', { body: { cardAccountId: spaced, cardId: cardNumber, [cardNumber]: 1 } })
  await send('POST', '/cards/lock', { body: `{"cardId":"${escaped}","n":${cardNumber}}`, headers: json })
  await send('GET', `/payouts?xid=${encodeURIComponent(spaced)}&payoutId=${spaced.replaceAll(' ', '+')}`)
  await send('GET', `/payouts/${encodeURIComponent(spaced)}/banks`)
  await send('GET', '/ping', { headers: { 'idempotency-key': cardNumber } })
  const link = await call('getCardSensitiveInfo', await examples.getCardSensitiveInfo(opened))
  await requestsLogged(service.db)
  const { rows } = await service.db.execute<{ text: string }>(sql`select t::text as text from service.request_log t`)
  const text = rows.map((row) => row.text).join('\n')
  expect(text).toContain(cardAccountId)
  expect(text).toContain('•••• 4242')
  expect(text).not.toMatch(/4242[\s+-]*4242[\s+-]*4242/)
  expect(text).not.toMatch(/(?<![0-9a-f-])271828(?![0-9a-f-])/)
  expect(link.json.url).toContain('secure-content')
  expect(text).not.toContain(link.json.url.split('/').at(-1))
  expect(await exchangeOf(link.headers.get('x-request-id'))).toMatchObject({
    responseBody: null,
    responseNote: 'secret',
  })
})

test('a large body and one that is no JSON are left out, and the list says so', async () => {
  const large = await opened.send('POST', '/fees/waive', {
    body: JSON.stringify({ id: 'x'.repeat(40_000) }),
    headers: json,
  })
  const broken = await opened.send('POST', '/fees/waive', { body: '{', headers: json })
  expect(await exchangeOf(large.headers.get('x-request-id'))).toMatchObject({
    requestBody: null,
    requestNote: 'too large',
  })
  expect(await exchangeOf(broken.headers.get('x-request-id'))).toMatchObject({
    requestBody: null,
    requestNote: 'not JSON',
  })
})

test('a dropped connection is listed without a status, and the log survives a reset', async () => {
  const fresh = await testService({ seeded: 1 })
  await fresh.control('POST', '/faults', { path: '/ping', status: 0 })
  expect((await fresh.send('GET', '/ping')).isDropped).toBe(true)
  await fresh.control('POST', '/reset')
  const { requests } = (await fresh.control('GET', '/requests?failed=true')).json
  expect(requests).toMatchObject([{ path: '/ping', status: null }])
})

test('a load above what the log takes costs the older entries, and the table stays small', async () => {
  const fresh = await testService({ seeded: 1 })
  await fresh.service.db.execute(sql`
    insert into service.request_log (at, access_key, request_id, method, path, duration_ms)
    select now(), ${fresh.caller.accessKey}, gen_random_uuid(), 'GET', '/old', 1 from generate_series(1, ${mostRows})`)
  await Promise.all(Array.from({ length: mostWaiting + 30 }, (_, at) => fresh.send('GET', `/ping?at=${at}`)))
  const last = await fresh.send('GET', '/ping?at=last')
  const { requests } = (await fresh.control('GET', '/requests?limit=200')).json
  expect(requests[0].requestId).toBe(last.headers.get('x-request-id'))
  const { rows } = await fresh.service.db.execute<{ count: string }>(
    sql`select count(*) as count from service.request_log`,
  )
  expect(Number(rows[0]?.count)).toBe(mostRows)
})

test('requests are handled as usual while the table is unavailable', async () => {
  const fresh = await testService({ seeded: 1 })
  await fresh.service.db.execute(sql`alter table service.request_log rename to request_log_away`)
  expect((await fresh.send('GET', '/ping')).status).toBe(200)
  await requestsLogged(fresh.service.db)
  expect((await fresh.send('GET', '/ping')).status).toBe(200)
  await fresh.service.db.execute(sql`alter table service.request_log_away rename to request_log`)
  expect((await fresh.control('GET', '/requests')).json.requests).toHaveLength(1)
})
