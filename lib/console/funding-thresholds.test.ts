import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Payout } from '#lib/contract/records.ts'
import { accounts } from '#lib/service/tables/payouts.ts'
import { dayMs } from '#lib/shared/time.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { fundingThresholds } from '#lib/tables/funding.ts'
import { listFundingAccounts } from './funding-accounts.ts'
import { readFundingThresholds, setFundingThreshold, watchFunding } from './funding-thresholds.ts'
import { readOverview } from './overview.ts'
import { indexPayouts } from './payouts/index-payouts.ts'
import { openConsole, type TestConsole } from './testing/open-console.ts'

const environment = 'sandbox' as const
let desk: TestConsole
let accountId: string
let available: number
let notices: string[]

beforeEach(async () => {
  desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  notices = []
  const receiver = createServer((request, response) => {
    request
      .setEncoding('utf8')
      .on('data', (text: string) => void notices.push((JSON.parse(text) as { text: string }).text))
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => receiver.once('listening', resolve))
  process.env.NOTIFY_URL = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  onTestFinished(() => {
    delete process.env.NOTIFY_URL
    receiver.close()
  })
  const [account] = (await listFundingAccounts(environment)).accounts
  accountId = account?.id ?? ''
  available = account?.available ?? 0
})

afterEach(() => void vi.unstubAllEnvs())

const set = (kind: 'amount' | 'days' | 'none', value: string, id = accountId) =>
  setFundingThreshold({ environment, accountId: id, kind, value })

/** A minute passes for the next look. */
async function look(): Promise<void> {
  await desk.db.update(fundingThresholds).set({ lookedAt: null })
  await watchFunding(environment)
}

const isShown = async () => (await readOverview(environment)).lowFunding.length > 0

test('an account that the service no longer lists is not shown as low', async () => {
  await set('amount', String(Math.ceil(available) + 1))
  expect(await isShown()).toBe(true)
  await desk.db.update(fundingThresholds).set({ accountId: 'closed' })
  await look()
  expect(await isShown()).toBe(false)
})

test('an account below its amount is shown on Home and noticed once, and again the next time', async () => {
  expect(available).toBeGreaterThan(1)
  expect(await set('amount', String(Math.floor(available)))).toEqual({ kind: 'set' })
  expect(await isShown()).toBe(false)
  expect(notices).toEqual([])

  await set('amount', String(Math.ceil(available) + 1))
  expect(await isShown()).toBe(true)
  expect(notices).toHaveLength(1)
  expect(notices[0]).toMatch(
    /^\[sandbox\] Funding account .* has [\d,]+\.\d\d [A-Z]{3} available, below its threshold of [\d,]+\.\d\d [A-Z]{3}\. http/,
  )
  await look()
  expect(notices).toHaveLength(1)

  await desk.db.update(fundingThresholds).set({ value: '1' })
  await look()
  expect((await readFundingThresholds(environment)).thresholds).toMatchObject([
    { accountId, value: '1', lowSince: null },
  ])
  expect(await isShown()).toBe(false)
  await desk.db.update(fundingThresholds).set({ value: String(Math.ceil(available) + 1) })
  await look()
  expect(notices).toHaveLength(2)
})

test('days are of the payouts of the last week: without any, nothing is too little', async () => {
  expect(await set('days', '3')).toEqual({ kind: 'set' })
  expect((await readFundingThresholds(environment)).thresholds).toMatchObject([
    { kind: 'days', value: '3', lowSince: null },
  ])
})

describe('days of the payouts of the last week', () => {
  /** A payout of the account so many days ago, of a share of what the account holds. */
  async function addPayout(id: string, daysAgo: number, share: number, status: string | null = 'completed') {
    const created = new Date(Date.now() - daysAgo * dayMs).toISOString()
    const record = { id, accountId, created, updated: created, sourceCurrency: 'HKD', status }
    const payout = { ...record, sourceAmount: available * share } as unknown as Payout
    await indexPayouts(environment, [payout], new Date())
  }
  const isLow = async (days: string) => {
    await set('days', days)
    return (await readFundingThresholds(environment)).thresholds[0]?.lowSince !== null
  }

  test('a seventh of them is a day; returned and older ones do not count, one of an unknown status does', async () => {
    await addPayout('p-1', 1, 2)
    await addPayout('p-2', 6, 1.5, null)
    await addPayout('p-3', 2, 50, 'failed')
    await addPayout('p-4', 2, 50, 'cancelled')
    await addPayout('p-5', 8, 50)
    expect(await isLow('1.99')).toBe(false)
    expect(await isLow('2.01')).toBe(true)
    expect(notices).toEqual([expect.stringContaining('below its threshold of 2.01 days of payouts.')])
    await addPayout('p-6', 1, 5)
    expect(await isLow('1')).toBe(true)
    expect(notices[1]).toContain('below its threshold of 1 day of payouts.')
  })

  test('a week is one of the service’s clock, which a sandbox moves', async () => {
    vi.stubEnv('BUILT_IN_SERVICE', 'on')
    await addPayout('p-1', 0.5, 7)
    expect(await isLow('2')).toBe(true)
    await desk.service.control('POST', '/clock', { advance: 'P6D' })
    expect(await isLow('2')).toBe(true)
    await desk.service.control('POST', '/clock', { advance: 'P2D' })
    expect(await isLow('2')).toBe(false)
  })
})

test('a notice that the URL does not take is sent at the next look', async () => {
  const url = process.env.NOTIFY_URL
  process.env.NOTIFY_URL = 'http://127.0.0.1:9/'
  await set('amount', String(Math.ceil(available) + 1))
  process.env.NOTIFY_URL = url
  expect(notices).toEqual([])
  await look()
  expect(notices).toHaveLength(1)
})

test('a change is audited with its value, and removed with none', async () => {
  await set('amount', '5,000.50')
  await set('none', '')
  expect((await readFundingThresholds(environment)).thresholds).toEqual([])
  const entries = await desk.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.act, 'funding.threshold'))
    .orderBy(auditEntries.number)
  expect(entries.map(({ comment }) => comment)).toEqual([expect.stringMatching(/^Below 5,000\.50 /), 'Removed'])
})

test.each([
  ['amount', '', 'must be given'],
  ['amount', '1e9', 'must be a plain number'],
  ['amount', '1,5', 'must be a plain number'],
  ['amount', '0', 'must be more than 0'],
  ['days', '91', 'must be at most 90'],
] as const)('%s %j is refused at its field', async (kind, value, problem) => {
  expect(await set(kind, value)).toEqual({ kind: 'invalid', fields: { value: expect.stringContaining(problem) } })
})

test.each([
  ['KRW', '12.5', 'must be whole'],
  ['KWD', '1.2345', 'must have at most 3 decimals'],
  ['KWD', '1,234', 'may be read in two ways'],
])('an amount in %s is written as the currency is: %j is refused', async (currency, value, problem) => {
  await desk.service.service.db.update(accounts).set({ currency }).where(eq(accounts.id, accountId))
  expect(await set('amount', value)).toEqual({
    kind: 'invalid',
    fields: { value: expect.stringContaining(problem) },
  })
  expect(await set('amount', currency === 'KWD' ? '1.234' : '12')).toEqual({ kind: 'set' })
})

test('of several people who set one at once, each sets it after the other', async () => {
  const results = await Promise.all(['1', '2', '3', '4'].map((value) => set('amount', value)))
  expect(results.map(({ kind }) => kind)).toEqual(['set', 'set', 'set', 'set'])
  expect((await readFundingThresholds(environment)).thresholds).toHaveLength(1)
})

test('a threshold that is set while the account is looked at is not said to be low by the one before', async () => {
  await set('amount', String(Math.ceil(available) + 1))
  desk.intercept.before = async ({ url }) => {
    if (!url?.includes('/accounts')) return false
    delete desk.intercept.before
    await set('amount', '1')
    return false
  }
  await look()
  expect(await readFundingThresholds(environment)).toMatchObject({ thresholds: [{ value: '1', lowSince: null }] })
})

test('accounts whose ids differ in case alone each have a threshold of their own', async () => {
  const [account] = (await listFundingAccounts(environment)).accounts
  desk.intercept.after = ({ url }) =>
    url?.includes('/accounts') ? Response.json({ accounts: ['a_1', 'A_1'].map((id) => ({ ...account, id })) }) : null
  await set('amount', '1', 'a_1')
  await set('amount', '2', 'A_1')
  const { thresholds } = await readFundingThresholds(environment)
  expect(Object.fromEntries(thresholds.map(({ accountId, value }) => [accountId, value]))).toEqual({
    a_1: '1',
    A_1: '2',
  })
})

test('an account that is none is refused, and so is a person who pays nothing', async () => {
  expect(await set('amount', '1', 'a_missing')).toEqual({
    kind: 'invalid',
    fields: { accountId: 'is no funding account' },
  })
  await desk.signIn('support')
  expect(await set('amount', '1')).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_PERMITTED' } })
})
