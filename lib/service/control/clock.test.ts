import { setTimeout as delay } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { performDueWork } from '../perform-due-work.ts'
import { accounts } from '../tables/payouts.ts'
import { accountRecord, openAccount, transactionRecord } from '../testing-accounts.ts'
import { openTestService, type TestService } from '../testing.ts'
import { controlRoutes } from './handle.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ seeded: 1, settings: { startsAt: new Date('2026-01-31T00:00:00Z') } })
})
afterAll(() => opened.close())
beforeEach(async () => void (await opened.control('POST', '/reset')))

const move = (body: object) => opened.control('POST', '/clock', body)
const now = async () => (await opened.control('GET', '/clock')).json.now as string

test('a reset starts the clock where the settings say, also in the past, and its seed counts from there', async () => {
  expect(await now()).toMatch(/^2026-01-31T00:00:0/)
  const { json } = await opened.call('listFees', { query: { pageSize: '1' } })
  const [fee] = json.fees as { createdAt: string }[]
  expect(Date.parse(fee?.createdAt ?? '')).toBeLessThan(Date.parse('2026-01-31T00:01:00Z'))
})

test('the clock moves to an instant, and not back', async () => {
  const to = '2026-02-28T23:59:00+08:00'
  expect((await move({ to })).json.now).toMatch(/^2026-02-28T15:59:0/)
  const back = await move({ to: '2026-02-01T00:00:00Z' })
  expect(back).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  expect(back.json.message).toMatch(/^to: must not be before the sandbox clock, which is 2026-02-28T15:59/)
})

test('a frozen clock stands exactly where it was moved, for every request and for due work, until it runs on', async () => {
  expect((await move({ to: '2026-03-01T00:00:00Z', freeze: true })).json).toMatchObject({
    now: '2026-03-01T00:00:00.000Z',
    isFrozen: true,
  })
  await delay(20)
  expect(await now()).toBe('2026-03-01T00:00:00.000Z')
  const card = await openAccount(opened)
  expect((await accountRecord(opened, card.cardAccountId)).createdAt).toBe('2026-03-01T00:00:00.000Z')
  const { json: charge } = await opened.control('POST', '/charges', { ...card, amount: 5, currency: 'HKD' })
  expect(charge).toMatchObject({ status: 'pending', createdAt: '2026-03-01T00:00:00.000Z' })
  const isCapture = (work: { transactionId?: string }) => work.transactionId === charge.id
  const { work } = (await opened.control('GET', '/due-work?limit=1000')).json
  expect(work.filter(isCapture)).toMatchObject([{ dueAt: '2026-03-02T00:00:00.000Z' }])
  // The real clock is past the time at which the capture is due.
  await performDueWork(opened.service.db)
  expect(await transactionRecord(opened, card.cardAccountId, charge.id)).toMatchObject({ status: 'pending' })
  expect((await move({ advance: 'PT1M' })).json.now).toBe('2026-03-01T00:01:00.000Z')
  await move({ freeze: false })
  expect((await opened.control('GET', '/clock')).json.isFrozen).toBe(false)
  await expect.poll(now).not.toBe('2026-03-01T00:01:00.000Z')
  expect(await now()).toMatch(/^2026-03-01T00:01:0/)
})

test('a request that is in flight while the sandbox is reset counts from the clock of the new one', async () => {
  const [account] = await opened.service.db.select().from(accounts).where(eq(accounts.currency, 'HKD'))
  const body = {
    method: 'BANK_TRANSFER',
    accountId: account?.id,
    sourceCurrency: 'HKD',
    sourceAmount: 100,
    destinationCountry: 'HK',
    destinationCurrency: 'HKD',
  }
  await move({ advance: 'P30D' })
  await opened.control('POST', '/faults', { path: '/payouts/quote', delayMs: 400 })
  const quoting = opened.call('quotePayout', { body })
  await expect.poll(async () => (await opened.control('GET', '/faults')).json.faults).toEqual([])
  await opened.control('POST', '/reset')
  expect((await quoting).json.createdAt).toMatch(/^2026-01-31T00:0/)
})

test.each([
  [{}, /advance: is required, or to, or freeze/],
  [{ advance: 'P1M' }, /^advance: must be a positive ISO 8601 duration/],
  [{ advance: 'PT1S', to: '2027-01-01T00:00:00Z' }, /^to: must be left out/],
  [{ to: '2027-01-01' }, /^to: must be an ISO 8601 time with its zone/],
  [{ advance: 'PT1S', set: 1 }, /set/],
])('%j is refused, and moves nothing', async (body, message) => {
  const before = Date.parse(await now())
  const { status, json } = await move(body)
  expect([status, json.message]).toEqual([400, expect.stringMatching(message)])
  expect(Date.parse(await now()) - before).toBeLessThan(900)
})

test.each([
  [{ to: '2000-01-01T00:00:00Z', freeze: true }, /^to: must not be before the sandbox clock/],
  [{ to: '9999-12-31T00:00:01Z', freeze: true }, /^to: must not move the clock beyond 9999-12-31/],
])('%j is refused, and stops nothing', async (body, message) => {
  const { status, json } = await move(body)
  expect([status, json.message]).toEqual([400, expect.stringMatching(message)])
  expect((await opened.control('GET', '/clock')).json.isFrozen).toBe(false)
})

describe('every call with a body', () => {
  test.each(controlRoutes.filter(({ method }) => method === 'POST').map(({ path }) => path))(
    'POST %s refuses a field that it does not know',
    async (path) => {
      const { status, json } = await opened.control('POST', path, { foo: 1 })
      expect(status).toBe(400)
      expect(json.message).toContain('foo')
    },
  )
})
