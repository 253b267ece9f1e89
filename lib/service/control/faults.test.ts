import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountRecord, newAccount, openAccount } from '../testing-accounts.ts'
import { addCard } from '../testing-records.ts'
import { openTestService, type TestService } from '../testing.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ seeded: 12 })
})
afterAll(() => opened.close())
beforeEach(async () => {
  await opened.control('DELETE', '/faults')
})

async function arm(fault: Record<string, unknown>): Promise<number> {
  const { status, json, text } = await opened.control('POST', '/faults', fault)
  expect(status, text).toBe(200)
  return json.id
}

const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key })
const accounts = () => opened.call('listCardAccounts', { query: { pageSize: '3' } })

describe('a shape', () => {
  test('changes the response of its endpoint as often as it is armed, and no other', async () => {
    const usual = (await accounts()).json
    await arm({
      path: '/cardaccounts',
      method: 'GET',
      shape: { kind: 'string', at: 'cardaccounts[*].balance' },
      times: 2,
    })
    const created = await opened.call('createCardAccount', { body: newAccount })
    expect(created.json.balance).toBe(0)
    for (const _ of [1, 2]) {
      const { status, json } = await accounts()
      expect(status).toBe(200)
      expect(json.cardaccounts.map(({ balance }: { balance: unknown }) => typeof balance)).toEqual(
        Array(3).fill('string'),
      )
    }
    expect((await accounts()).json.cardaccounts.slice(1)).toEqual(usual.cardaccounts.slice(0, 2))
  })

  test('applies after the work: the effect is there, and the stored response is the true one', async () => {
    for (const shape of [
      { kind: 'drop', at: 'status' },
      { kind: 'html' },
      { kind: 'body', status: 201, value: { ok: 1 } },
    ]) {
      const target = await addCard(opened.service.db)
      const key = randomUUID()
      await arm({ path: '/cards/lock', shape })
      const reshaped = await opened.call('lockCard', { body: target, headers: keyed(key) })
      expect(reshaped.json?.status).toBeUndefined()
      const again = await opened.call('lockCard', { body: target, headers: keyed(key) })
      expect(again).toMatchObject({ status: 200, json: { id: target.cardId, status: 'locked' } })
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    }
  })

  test('that replaces the response can do so without the work', async () => {
    const target = await addCard(opened.service.db)
    await arm({ path: '/cards/lock', shape: { kind: 'html', status: 502 }, after: false })
    expect((await opened.call('lockCard', { body: target })).status).toBe(502)
    expect((await opened.call('lockCard', { body: target })).json.status).toBe('locked')
  })

  test('of each whole-response kind goes over the wire as it says', async () => {
    await arm({ path: '/ping', shape: { kind: 'html' } })
    const page = await opened.call('ping')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toMatch(/^<!doctype html>/)

    await arm({ path: '/ping', shape: { kind: 'redirect', location: 'https://elsewhere.test/sign-in' } })
    const moved = await opened.call('ping')
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'https://elsewhere.test/sign-in'])

    await arm({ path: '/ping', shape: { kind: 'no-content' } })
    expect(await opened.call('ping')).toMatchObject({ status: 204, text: '' })

    await arm({ path: '/ping', shape: { kind: 'body', status: 202, value: ['queued'] } })
    expect(await opened.call('ping')).toMatchObject({ status: 202, json: ['queued'] })

    await arm({ path: '/ping', shape: { kind: 'truncated' } })
    expect((await opened.send('GET', '/ping').catch((error: Error) => error)) instanceof SyntaxError).toBe(true)
  })

  test('repeat-token: every page is the first one, with a token for the next', async () => {
    await arm({ path: '/cardaccounts', shape: { kind: 'repeat-token' }, times: 'always' })
    const first = (await accounts()).json
    const query = { pageSize: '3', pageToken: first.nextPageToken }
    for (const _ of [1, 2]) expect((await opened.call('listCardAccounts', { query })).json).toEqual(first)
  })

  test('no-effect: the response of success, and nothing done, under a key neither', async () => {
    const { cardAccountId } = await openAccount(opened)
    const fee = (await opened.control('POST', '/fees', { cardAccountId, intent: 'annual-fee', amount: 12 })).json
    const before = await accountRecord(opened, cardAccountId)
    const key = randomUUID()
    const waive = () => opened.call('waiveFee', { body: { id: fee.id }, headers: keyed(key) })
    await arm({ path: '/fees/waive', shape: { kind: 'no-effect' } })
    expect(await waive()).toMatchObject({ status: 200, json: { id: fee.id, status: 'void' } })
    expect(await accountRecord(opened, cardAccountId)).toEqual(before)
    expect((await opened.call('listFees', { query: { feeId: fee.id } })).json.fees).toMatchObject([
      { status: 'posted' },
    ])
    await arm({ path: '/fees/waive', shape: { kind: 'no-effect', at: 'status', value: 'posted' } })
    expect(await waive()).toMatchObject({ status: 200, json: { id: fee.id, status: 'posted' } })
    expect((await waive()).headers.get('idempotency-replayed')).toBeNull()
    expect((await accountRecord(opened, cardAccountId)).balance).toBe(0)
  })

  test('unsuccessful: HTTP 200, success false with an error, and the limit as it was', async () => {
    const [one, two] = [await openAccount(opened, { limit: 100 }), await openAccount(opened, { limit: 100 })]
    const limitOf = async ({ cardAccountId }: typeof one) => (await accountRecord(opened, cardAccountId)).limit
    const item = ({ cardAccountId }: typeof one) => ({ cardAccountId, limit: 500 })
    const set = (body: unknown, key?: string) => opened.call('setFixedLimit', { body, headers: keyed(key) })
    const path = '/cardaccounts/fixed-limit'

    await arm({ path, shape: { kind: 'unsuccessful', error: 'not today' } })
    const key = randomUUID()
    const single = { ...item(one), success: false, error: 'not today' }
    expect(await set(item(one), key)).toMatchObject({ status: 200, json: single })
    expect((await set(item(one), key)).json).toEqual(single)
    expect(await limitOf(one)).toBe(100)

    await arm({ path, shape: { kind: 'unsuccessful' } })
    const all = (await set([item(one), item(two)])).json
    expect(all.map(({ success }: { success: boolean }) => success)).toEqual([false, false])

    await arm({ path, shape: { kind: 'unsuccessful', at: '[1]', error: 'no' } })
    expect((await set([item(one), item(two)])).json).toEqual([
      { ...item(one), success: true, error: null },
      { ...item(two), success: false, error: 'no' },
    ])
    expect([await limitOf(one), await limitOf(two)]).toEqual([500, 100])
  })
})

test.each([
  [401, {}, { code: 'INVALID_ACCESS_KEY' }],
  [403, {}, { code: 'FORBIDDEN' }],
  [404, {}, { code: 'NOT_FOUND' }],
  [404, { code: 'CARD_ACCOUNT_NOT_FOUND', message: 'gone' }, { code: 'CARD_ACCOUNT_NOT_FOUND', message: 'gone' }],
  [418, {}, { code: 'HTTP_418' }],
  [504, {}, { code: 'HTTP_504' }],
  [500, { message: 'boom' }, { code: 'INTERNAL_ERROR', message: 'boom' }],
  [503, { code: 'BUSY' }, { code: 'BUSY', message: 'the service is not available at the moment' }],
])('status %i with %j on any endpoint', async (status, given, expected) => {
  await arm({ path: '/cardaccounts', status, ...given })
  expect(await accounts()).toMatchObject({ status, json: expected })
  expect((await accounts()).status).toBe(200)
})

test('a card error of 400 carries statusCode, as in the interface', async () => {
  const body = await addCard(opened.service.db)
  await arm({ path: '/cards/lock', status: 400, code: 'CARD_ALREADY_LOCKED' })
  const { json } = await opened.call('lockCard', { body })
  expect(json).toEqual({ statusCode: 400, code: 'CARD_ALREADY_LOCKED', message: expect.any(String) })
})

test('times always lasts until the fault is removed by its id; the others stay', async () => {
  const always = await arm({ path: '/ping', status: 503, times: 'always' })
  const other = await arm({ path: '/rates', status: 500 })
  for (const _ of [1, 2, 3]) expect((await opened.call('ping')).status).toBe(503)
  const left = await opened.control('DELETE', `/faults?id=${always}`)
  expect(left.json.faults).toMatchObject([{ id: other, path: '/rates', times: 1 }])
  expect((await opened.call('ping')).status).toBe(200)
  const gone = await opened.control('DELETE', `/faults?id=${always}`)
  expect(gone).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } })
  for (const query of ['id=x', 'id=', 'ids=3', `id=${other}&id=${other}`])
    expect((await opened.control('DELETE', `/faults?${query}`)).status, query).toBe(400)
  expect((await opened.control('GET', '/faults')).json.faults).toHaveLength(1)
})

test('with background, requests of background work use a fault up', async () => {
  await arm({ path: '/ping', status: 503, background: true })
  const background = () => opened.call('ping', { headers: { priority: 'u=7' } })
  expect([(await background()).status, (await background()).status]).toEqual([503, 200])
})

test('an armed shape is shown with its defaults', async () => {
  await arm({ path: '/fees', shape: { kind: 'huge-token' }, times: 'always', background: true })
  expect((await opened.control('GET', '/faults')).json.faults).toEqual([
    {
      id: expect.any(Number),
      path: '/fees',
      shape: { kind: 'huge-token', at: 'nextPageToken', length: 8192 },
      times: 'always',
      after: true,
      delayMs: 0,
      background: true,
    },
  ])
})

const drop = { kind: 'drop', at: 'cardaccounts[*].balance' }

test.each([
  [{ path: '/cardaccounts', shape: { kind: 'melt' } }, 'shape.kind: must be one of drop, null'],
  [{ path: '/cardaccounts', shape: 'drop' }, 'shape: must be an object'],
  [{ path: '/cardaccounts', shape: { kind: 'drop' } }, 'shape.at: is required'],
  [{ path: '/cardaccounts', shape: { kind: 'drop', at: '$..x[' } }, 'shape.at: must be a JSON path'],
  [
    { path: '/cardaccounts', shape: { ...drop, at: 'cards[*].balance' } },
    'shape.at: must name a field of the response',
  ],
  [{ path: '/cardaccounts', method: 'POST', shape: drop }, 'shape.at: must name a field of the response of POST'],
  [{ path: '/cardaccounts', shape: { ...drop, depth: 3 } }, 'depth'],
  [{ path: '/cardaccounts', shape: drop, status: 500 }, 'shape: must be left out'],
  [{ path: '/cardaccounts', shape: drop, after: false }, 'after: must be true or left out'],
  [{ path: '/cardaccounts', shape: drop, code: 'X' }, 'code: code and message need a status'],
  [{ path: '/fees', method: 'POST', status: 500 }, 'method: is not a method of /fees'],
  [{ path: '/fees', method: 'PUT', status: 500 }, 'method: must be GET or POST'],
  [{ path: '/fees', status: 500, times: 'ever' }, 'times: must be a whole number or always'],
  [{ path: '/fees', status: 500, times: 1.5 }, 'times: must be a whole number or always'],
  [{ path: '/fees', status: 200 }, 'status: must be 0 or from 400 to 599'],
  [{ path: '/fees', statsu: 500 }, 'statsu'],
  [{ path: '/fees', status: 500, background: 1 }, 'background: must be true or false'],
  [{ path: '/fees', shape: { kind: 'no-effect' } }, 'shape.kind: is for POST only'],
  [{ path: '/fees/waive', shape: { kind: 'unsuccessful' } }, 'shape.kind: is for /cardaccounts/fixed-limit only'],
])('%j is refused: %s', async (fault, problem) => {
  const { status, json } = await opened.control('POST', '/faults', fault)
  expect([status, json.code]).toEqual([400, 'INVALID_PARAMETERS'])
  expect(json.message).toContain(problem)
  expect((await opened.control('GET', '/faults')).json).toEqual({ faults: [] })
})

test('a wrong path is the only mistake of a fault that names it, with or without a method', async () => {
  for (const method of ['GET', undefined]) {
    const { json } = await opened.control('POST', '/faults', { path: '/cardz', status: 500, method })
    expect(json.message).toMatch(/^path: must be the path of an endpoint, such as \/cards\/lock, or \*$/)
  }
})
