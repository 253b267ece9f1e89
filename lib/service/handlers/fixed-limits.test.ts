import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CallerBusy } from '#lib/db/errors.ts'
import { accountRecord, openAccount, unknownId } from '../testing-accounts.ts'
import { openTestService, type TestService } from '../testing.ts'
import { handlers } from './table.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ seeded: 1 })
})

afterAll(() => service.close())

const set = (body: unknown) => service.call('setFixedLimit', { body })

test('one object sets one limit, and what is available with it', async () => {
  const { cardAccountId } = await openAccount(service)
  const response = await set({ cardAccountId, limit: 2500.5 })
  expect(response).toMatchObject({ status: 200, json: { cardAccountId, limit: 2500.5, success: true, error: null } })
  expect(await accountRecord(service, cardAccountId)).toMatchObject({ limit: 2500.5, available: 2500.5 })
})

test('a limit of 0 is a limit', async () => {
  const { cardAccountId } = await openAccount(service)
  expect(await set({ cardAccountId, limit: 0 })).toMatchObject({ json: { success: true } })
  expect(await accountRecord(service, cardAccountId)).toMatchObject({ limit: 0, available: 0 })
})

test('a bad item of an array does not stop the others, and each item has its own result in its place', async () => {
  const [one, other] = [await openAccount(service), await openAccount(service)]
  const prepaid = await openAccount(service, { accountType: 'prepaid', limit: 0 })
  const { status, json } = await set([
    { cardAccountId: unknownId, limit: 1 },
    { cardAccountId: one.cardAccountId, limit: 10 },
    { cardAccountId: prepaid.cardAccountId, limit: 10 },
    { cardAccountId: one.cardAccountId, limit: -1 },
    { limit: 5 },
    'x',
    null,
    { cardAccountId: one.cardAccountId, limit: 1e12 },
    { cardAccountId: other.cardAccountId, limit: 20 },
    { cardAccountId: one.cardAccountId, limit: 30 },
  ])
  expect(status).toBe(200)
  expect(json.map((item: { success: boolean }) => item.success)).toEqual([
    false,
    true,
    false,
    false,
    false,
    false,
    false,
    false,
    true,
    true,
  ])
  for (const item of json) expect(item.error === null).toBe(item.success)
  expect(json[4]).toEqual({ cardAccountId: null, limit: 5, success: false, error: 'cardAccountId: is required' })
  expect(await accountRecord(service, one.cardAccountId)).toMatchObject({ limit: 30 })
  expect(await accountRecord(service, other.cardAccountId)).toMatchObject({ limit: 20 })
})

test('a number that a double does not hold is the mistake of its item alone', async () => {
  const { cardAccountId } = await openAccount(service)
  const body = `[{"cardAccountId":"${cardAccountId}","limit":12345678901234567890},{"cardAccountId":"${cardAccountId}","limit":40}]`
  const { status, json } = await service.send('POST', '/cardaccounts/fixed-limit', {
    body,
    headers: { 'content-type': 'application/json' },
  })
  expect([status, json.map((item: { success: boolean }) => item.success)]).toEqual([200, [false, true]])
  expect(await accountRecord(service, cardAccountId)).toMatchObject({ limit: 40 })
})

test.each([
  ['an unknown account', { cardAccountId: unknownId, limit: 1 }, 404, 'CARD_ACCOUNT_NOT_FOUND'],
  ['a limit below 0', { cardAccountId: unknownId, limit: -1 }, 400, 'INVALID_PARAMETERS'],
  ['a text for a limit', { cardAccountId: unknownId, limit: '1' }, 400, 'INVALID_PARAMETERS'],
  ['no limit', { cardAccountId: unknownId }, 400, 'INVALID_PARAMETERS'],
  ['a limit too large to be told', { cardAccountId: unknownId, limit: 1e12 }, 400, 'INVALID_PARAMETERS'],
  ['an empty array', [], 400, 'INVALID_PARAMETERS'],
  ['a text', 'x', 400, 'INVALID_PARAMETERS'],
])('a request with %s gets its HTTP error', async (_, body, status, code) => {
  expect(await set(body)).toMatchObject({ status, json: { code } })
})

test('a single prepaid account gets its HTTP error', async () => {
  const prepaid = await openAccount(service, { accountType: 'prepaid', limit: 0 })
  expect(await set({ cardAccountId: prepaid.cardAccountId, limit: 1 })).toMatchObject({
    status: 400,
    json: { code: 'INVALID_PARAMETERS' },
  })
})

test('a limit of tenths of a cent is rounded half up, as the response shows', async () => {
  const { cardAccountId } = await openAccount(service)
  expect(await set({ cardAccountId, limit: 1.005 })).toMatchObject({ json: { limit: 1.01, success: true } })
  expect(await set([{ cardAccountId, limit: 2.0049 }])).toMatchObject({ json: [{ limit: 2, success: true }] })
  expect(await accountRecord(service, cardAccountId)).toMatchObject({ limit: 2 })
})

test('a call whose turn does not come is refused with a time to retry, and may be sent again under its key', async () => {
  const { cardAccountId } = await openAccount(service)
  const send = () =>
    service.call('setFixedLimit', { body: { cardAccountId, limit: 1 }, headers: { 'idempotency-key': 'a' } })
  vi.spyOn(handlers, 'setFixedLimit').mockRejectedValueOnce(new CallerBusy())
  const refused = await send()
  expect(refused).toMatchObject({ status: 429, json: { code: 'RATE_LIMITED' } })
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(await send()).toMatchObject({ status: 200 })
})
