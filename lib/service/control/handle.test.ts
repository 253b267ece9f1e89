import { createPublicKey, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs, minuteMs } from '#lib/shared/time.ts'
import { moveClockTo } from '../clock.ts'
import { handleService } from '../handle.ts'
import { accessKeys, serviceKeys } from '../tables/runtime.ts'
import { events } from '../tables/webhooks.ts'
import { addCard } from '../testing-records.ts'
import { basic, bearer, openTestService, testService, type TestService } from '../testing.ts'
import { controlRoutes, handleControl } from './handle.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ seeded: 12 })
})
afterAll(() => opened.close())

function controlWith(authorization: string | null, path = '/clock'): Promise<Response> {
  const headers: Record<string, string> = authorization === null ? {} : { authorization }
  const request = new Request(`http://service.test/service/control${path}`, { headers })
  return handleControl(request, undefined, opened.service)
}

describe('access', () => {
  test('takes the access key of the sandbox with an empty password, and nothing else', async () => {
    const { accessKey } = opened.caller
    expect((await controlWith(basic(accessKey))).status).toBe(200)
    expect((await controlWith(basic(accessKey.toUpperCase()))).status).toBe(200)
    const wrong = [null, '', basic(''), basic(randomUUID()), `Basic ${btoa(`${accessKey}:x`)}`, `Bearer ${accessKey}`]
    for (const authorization of wrong) {
      const response = await controlWith(authorization)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ code: 'INVALID_ACCESS_KEY' })
    }
  })

  test('takes a request token for its own uri, method and body, and nothing else', async () => {
    const { caller } = opened
    const body = JSON.stringify({ advance: 'PT1S' })
    const path = '/service/control/clock'
    const advance = (authorization: string) => opened.control('POST', '/clock', { advance: 'PT1S' }, { authorization })
    expect((await controlWith(await bearer(caller, 'GET', path))).status).toBe(200)
    expect((await advance(await bearer(caller, 'POST', path, body))).status).toBe(200)
    for (const token of [
      await bearer(caller, 'POST', '/service/v1/clock', body),
      await bearer(caller, 'GET', path, body),
      await bearer(caller, 'POST', path, `${body} `),
      await bearer({ ...caller, accessKey: randomUUID() }, 'POST', path, body),
    ])
      expect(await advance(token)).toMatchObject({ status: 401 })
  })

  test('with SANDBOX_BASIC_AUTH=off it refuses Basic and takes a request token', async () => {
    const service = { ...opened.service, settings: { ...opened.service.settings, acceptsBasic: false } }
    const response = async (authorization: string) => {
      const request = new Request('http://service.test/service/control/clock', { headers: { authorization } })
      return (await handleControl(request, undefined, service)).status
    }
    expect(await response(basic(opened.caller.accessKey))).toBe(401)
    expect(await response(await bearer(opened.caller, 'GET', '/service/control/clock'))).toBe(200)
  })

  test('a token is accepted for one POST or DELETE, also across a reset', async () => {
    const service = await testService({ seeded: 1 })
    const now = async () => Date.parse((await service.control('GET', '/clock')).json.now)
    const body = { advance: 'P1D' }
    const authorization = await bearer(service.caller, 'POST', '/service/control/clock', JSON.stringify(body))
    const before = await now()
    expect((await service.control('POST', '/clock', body, { authorization })).status).toBe(200)
    const replay = () => service.control('POST', '/clock', body, { authorization })
    expect(await replay()).toMatchObject({ status: 401, json: { code: 'TOKEN_REPLAYED' } })
    expect((await now()) - before).toBeLessThan(1.5 * dayMs)
    const deleteToken = { authorization: await bearer(service.caller, 'DELETE', '/service/control/faults') }
    const statuses = [1, 2].map(async () => (await service.control('DELETE', '/faults', undefined, deleteToken)).status)
    expect((await Promise.all(statuses)).sort()).toEqual([200, 401])
    const resetToken = { authorization: await bearer(service.caller, 'POST', '/service/control/reset') }
    expect((await service.control('POST', '/reset', undefined, resetToken)).status).toBe(200)
    expect((await service.control('POST', '/reset', undefined, resetToken)).status).toBe(401)
    expect((await replay()).status).toBe(401)
  })

  test('responds 404 and 405, but reveals nothing to others', async () => {
    expect(await opened.control('GET', '/nothing')).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } })
    const response = await opened.control('DELETE', '/clock')
    expect(response).toMatchObject({ status: 405, json: { code: 'METHOD_NOT_ALLOWED' } })
    expect(response.headers.get('allow')).toBe('GET, POST')
    expect((await controlWith(null, '/nothing')).status).toBe(401)
  })

  test('returns the public key of deliveries without authentication', async () => {
    const response = await controlWith(null, '/webhook-key')
    const pem = await response.text()
    expect(createPublicKey(pem).asymmetricKeyDetails?.modulusLength).toBeGreaterThanOrEqual(2048)
    expect(await (await controlWith(null, '/webhook-key')).text()).toBe(pem)
  })
})

test.each(controlRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s refuses an unknown field of its query, and of its body',
  async (_, { method, path }) => {
    const before = (await opened.control('GET', '/contents')).json
    const refused = { status: 400, json: { code: 'INVALID_PARAMETERS', message: expect.stringContaining('unheardOf') } }
    expect(await opened.control(method, `${path}?unheardOf=1`)).toMatchObject(refused)
    if (method === 'POST') expect(await opened.control(method, path, { unheardOf: 1 })).toMatchObject(refused)
    expect((await opened.control('GET', '/contents')).json).toEqual(before)
  },
)

test('lists the products by which a card is issued', async () => {
  const { products } = (await opened.control('GET', '/products')).json
  expect(products.map(({ name, cardType }: { name: string; cardType: string }) => [name, cardType])).toEqual([
    ['Corporate Everyday', 'physical'],
    ['Travel Companion', 'physical'],
    ['Online Purchase', 'virtual'],
    ['Project Budget', 'virtual'],
  ])
  const { cardAccountId } = await addCard(opened.service.db)
  for (const { id, cardType } of products) {
    const body = { type: cardType, cardAccountId, productId: id, embossedName: 'WONG SIU MING' }
    expect(await opened.call('issueCard', { body })).toMatchObject({ status: 200, json: { product: { id } } })
  }
})

describe('the clock', () => {
  test('reports the sandbox time and is moved forward by a duration', async () => {
    const before = Date.parse((await opened.control('GET', '/clock')).json.now)
    const { status, json } = await opened.control('POST', '/clock', { advance: 'P2DT30M' })
    expect(status).toBe(200)
    expect(json.performed).toEqual(expect.any(Number))
    const moved = Date.parse(json.now) - before
    expect(moved).toBeGreaterThanOrEqual(2 * dayMs + 30 * minuteMs)
    expect(moved).toBeLessThan(2 * dayMs + 31 * minuteMs)
    expect(Date.parse((await opened.control('GET', '/clock')).json.now)).toBeGreaterThanOrEqual(Date.parse(json.now))
  })

  test.each([
    {},
    { advance: 5 },
    { advance: '' },
    { advance: 'PT0S' },
    { advance: '-PT5M' },
    { advance: 'P1M' },
    { advance: 'P1W' },
    { advance: 'P999999D' },
    [],
    null,
  ])('refuses %j and does not move', async (body) => {
    const before = Date.parse((await opened.control('GET', '/clock')).json.now)
    const response = await opened.control('POST', '/clock', body)
    expect(response).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
    expect(Date.parse((await opened.control('GET', '/clock')).json.now) - before).toBeLessThan(minuteMs)
  })
})

test('the clock stops at the end of the year 9999, also where several advances together reach it', async () => {
  const service = await testService({ seeded: 1 })
  const now = async () => (await service.control('GET', '/clock')).json.now as string
  const advance = (days: number) => service.control('POST', '/clock', { advance: `P${days}D` })
  await moveClockTo(service.service.db, new Date('9899-12-31T00:00:00Z'))
  const refused = await advance(36_525)
  expect(refused).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  expect(refused.json.message).toMatch(/^advance: must not move the clock beyond 9999-12-31/)
  expect(await now()).toMatch(/^9899-12-31/)
  expect((await advance(36_523)).json.now).toMatch(/^9999-12-30/)
  expect((await advance(1)).status).toBe(400)
  expect((await service.call('ping')).status).toBe(200)
})

describe('faults', () => {
  beforeEach(async () => {
    await opened.control('DELETE', '/faults')
  })
  const lock = (body: unknown, key: string = randomUUID()) =>
    opened.call('lockCard', { body, headers: { 'idempotency-key': key } })
  async function effects(cardId: string): Promise<number> {
    return (await opened.service.db.select().from(events)).filter((event) => event.data.id === cardId).length
  }

  test.each([500, 502, 503, 429])(
    'status %i: the next requests fail before anything is done, then no more',
    async (status) => {
      const target = await addCard(opened.service.db)
      await opened.control('POST', '/faults', { path: '/cards/lock', status, times: 2 })
      expect((await opened.call('ping')).status).toBe(200)
      const failures = [await lock(target), await lock(target)]
      expect(failures.map((response) => response.status)).toEqual([status, status])
      if (status === 429) expect(failures[0]?.headers.get('retry-after')).toBe('1')
      else expect(failures[0]?.json).toEqual({ statusCode: status, message: expect.any(String) })
      expect(await effects(target.cardId)).toBe(0)
      expect((await lock(target)).status).toBe(200)
      expect((await opened.control('GET', '/faults')).json).toEqual({ faults: [] })
    },
  )

  test.each(['/payouts/{countryCode}/banks', '/payouts/HK/banks'])(
    'armed for %s, a path with a parameter fails',
    async (path) => {
      const banks = () => opened.call('listPayoutBanks', { params: { countryCode: 'HK' } })
      expect((await opened.control('POST', '/faults', { path, status: 503 })).status).toBe(200)
      expect((await banks()).status).toBe(503)
      expect((await banks()).status).toBe(200)
    },
  )

  test('status 0 drops the connection', async () => {
    const target = await addCard(opened.service.db)
    await opened.control('POST', '/faults', { path: '*', status: 0 })
    expect((await lock(target)).isDropped).toBe(true)
    expect(await effects(target.cardId)).toBe(0)
    expect((await lock(target)).isDropped).toBe(false)
  })

  test('after: the work is done and its real response stored, only the wire says otherwise', async () => {
    for (const status of [500, 0]) {
      const target = await addCard(opened.service.db)
      const key = randomUUID()
      await opened.control('POST', '/faults', { path: '/cards/lock', status, after: true })
      const lost = await lock(target, key)
      expect(status === 0 ? lost.isDropped : lost.status === 500).toBe(true)
      const again = await lock(target, key)
      expect(again).toMatchObject({ status: 200, json: { status: 'locked' } })
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(await effects(target.cardId)).toBe(1)
    }
  })

  test('100 requests at once under one key with three lost responses: one effect', async () => {
    const target = await addCard(opened.service.db)
    await opened.control('POST', '/faults', { path: '/cards/lock', status: 503, times: 3, after: true })
    const responses = await Promise.all(Array.from({ length: 100 }, () => lock(target, 'hundred')))
    expect(responses.filter(({ status }) => status === 503)).toHaveLength(3)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(97)
    expect(await effects(target.cardId)).toBe(1)
  })

  test('also fail background requests, which do not use them up', async () => {
    await opened.control('POST', '/faults', { path: '/ping', status: 503, times: 1 })
    for (const priority of ['u=7', 'i, u=7'])
      expect((await opened.call('ping', { headers: { priority } })).status).toBe(503)
    expect((await opened.call('ping', { headers: { priority: 'u=5' } })).status).toBe(503)
    expect((await opened.call('ping', { headers: { priority: 'u=7' } })).status).toBe(200)
  })

  test('apply in the order of their arming, wait, skip unauthenticated callers, and can be removed', async () => {
    await opened.control('POST', '/faults', { path: '/ping', status: 500 })
    await opened.control('POST', '/faults', { path: '*', status: 502, delayMs: 60 })
    expect((await opened.call('ping', { headers: { authorization: '' } })).status).toBe(401)
    expect((await opened.control('GET', '/faults')).json.faults).toEqual([
      { id: expect.any(Number), path: '/ping', status: 500, times: 1, after: false, delayMs: 0, background: false },
      { id: expect.any(Number), path: '*', status: 502, times: 1, after: false, delayMs: 60, background: false },
    ])
    expect((await opened.call('ping')).status).toBe(500)
    const started = performance.now()
    expect((await opened.call('ping')).status).toBe(502)
    expect(performance.now() - started).toBeGreaterThanOrEqual(59)
    await opened.control('POST', '/faults', { path: '/ping', status: 500, times: 5 })
    expect((await opened.control('DELETE', '/faults')).json).toEqual({ faults: [] })
    expect((await opened.call('ping')).status).toBe(200)
  })

  test('work before a failure is done, whether the caller waits for the failure or not', async () => {
    await opened.control('POST', '/faults', { path: '/webhooks', status: 503, after: true, delayMs: 300 })
    const url = `https://receiver.example/${randomUUID()}`
    const caller = new AbortController()
    const request = new Request('http://service.test/service/v1/webhooks', {
      method: 'POST',
      body: JSON.stringify({ url, events: ['*'] }),
      headers: { authorization: basic(opened.caller.accessKey), 'content-type': 'application/json' },
      signal: caller.signal,
    })
    const response = handleService(request, undefined, opened.service)
    setTimeout(() => caller.abort(), 100)
    await response.catch(() => undefined)
    const { json } = await opened.call('listWebhooks')
    expect(JSON.stringify(json)).toContain(url)
  })

  test('a delay without a status makes the response late, and changes nothing else', async () => {
    await opened.control('POST', '/faults', { path: '/ping', delayMs: 60 })
    const started = performance.now()
    expect((await opened.call('ping')).json).toEqual({ message: 'pong' })
    expect(performance.now() - started).toBeGreaterThanOrEqual(59)
    expect((await opened.control('GET', '/faults')).json).toEqual({ faults: [] })
  })

  test.each([
    [{}, ['path: is required', 'status: is required']],
    [{ path: '/cards', status: 302 }, ['status: must be 0 or from 400 to 599']],
    [{ path: 'cards/lock', status: 500, times: 0 }, ['path: must be', 'times: must be 1 or more']],
    [
      { path: '*', status: 500, after: 'yes', delayMs: -1 },
      ['after: must be true or false', 'delayMs: must be 0 or more'],
    ],
  ])('refuses %j, naming what is wrong', async (body, problems) => {
    const { status, json } = await opened.control('POST', '/faults', body)
    expect([status, json.code]).toEqual([400, 'INVALID_PARAMETERS'])
    for (const problem of problems) expect(json.message).toContain(problem)
    expect((await opened.control('GET', '/faults')).json).toEqual({ faults: [] })
  })
})

test('reset restores the seed and the real clock, and leaves the keys', async () => {
  const service = await testService({ seeded: 5, settings: { rateLimitPerMinute: 100 } })
  const { db } = service.service
  const list = async () => (await service.call('listCardAccounts', { query: { pageSize: '100' } })).json.cardaccounts
  const ids = async () => (await list()).map((account: { id: string }) => account.id)
  const seeded = await ids()
  const target = await addCard(db)
  await service.call('lockCard', { body: target, headers: { 'idempotency-key': 'before' } })
  await service.control('POST', '/clock', { advance: 'P3D' })
  await service.control('POST', '/faults', { path: '/ping', status: 500 })
  const keys = [await db.select().from(accessKeys), await db.select().from(serviceKeys)]
  expect(await ids()).not.toEqual(seeded)

  expect((await service.control('POST', '/reset')).status).toBe(200)

  expect(await ids()).toEqual(seeded)
  expect(Math.abs(Date.parse((await service.control('GET', '/clock')).json.now) - Date.now())).toBeLessThan(minuteMs)
  expect((await service.call('ping')).status).toBe(200)
  expect([await db.select().from(accessKeys), await db.select().from(serviceKeys)]).toEqual(keys)
  const again = await service.call('lockCard', { body: target, headers: { 'idempotency-key': 'before' } })
  expect(again.headers.get('idempotency-replayed')).toBeNull()
  expect((await service.call('listWebhooks')).json.webhooks).toMatchObject([
    { url: 'http://console.test/api/webhooks/inbox/sandbox' },
  ])
})

test('the state has clock, faults and modes at once, and the contents what a reset removes', async () => {
  const service = await testService({ seeded: 2 })
  await service.control('POST', '/clock', { advance: 'P1D' })
  await service.control('POST', '/faults', { path: '/ping', status: 500 })
  await service.control('POST', '/modes', { idForm: 'upper-case' })
  const { json } = await service.control('GET', '/state')
  expect(json).toMatchObject({ faults: [{ path: '/ping' }], modes: { idForm: 'upper-case', replay: 'marked' } })
  expect(Date.parse(json.now) - Date.now()).toBeGreaterThan(dayMs - minuteMs)
  expect((await service.control('GET', '/contents')).json).toMatchObject({
    cardAccounts: 2,
    faults: 1,
    seededCardAccounts: 2,
  })
  expect((await service.control('GET', '/state')).json.contentsId).toBe(json.contentsId)
  await service.control('POST', '/reset')
  expect((await service.control('GET', '/state')).json.contentsId).not.toBe(json.contentsId)
})
