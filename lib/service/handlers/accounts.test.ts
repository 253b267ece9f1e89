import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callEndpoint, hkdAccountId, insertFundingAccounts, usdAccountId } from '../payouts/testing.ts'
import { accountTransactions } from '../tables/payouts.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService

const entry = {
  asset: 'HKD',
  amount: '-12.5',
  balance: '100',
  intent: 'payout',
  status: 'posted',
  description: 'Payout to Maria Santos',
  accountNumber: '001',
  accountLabel: 'HKD account',
} as const
const times = ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z']

beforeAll(async () => {
  service = await openTestService()
  await insertFundingAccounts(service)
  const ids = () => ({ id: randomUUID(), intentId: randomUUID(), intentRefId: randomUUID() })
  const [first = '', second = '', third = ''] = times
  await service.service.db.insert(accountTransactions).values([
    {
      ...entry,
      ...ids(),
      accountId: hkdAccountId,
      createdAt: new Date(first),
      time: new Date(first),
      xmetadata: { run: 7 },
    },
    {
      ...entry,
      ...ids(),
      accountId: hkdAccountId,
      createdAt: new Date(second),
      time: new Date(second),
      intent: 'topup',
      status: 'pending',
      balance: null,
    },
    {
      ...entry,
      ...ids(),
      accountId: usdAccountId,
      createdAt: new Date(first),
      time: new Date(third),
      asset: 'USD',
      intent: 'transfer',
      status: 'void',
    },
  ])
})
afterAll(() => service.close())

const found = async (query: Record<string, string>) =>
  (await callEndpoint(service, 'listAccountTransactions', { query })).transactions.map(({ time }) =>
    times.indexOf(time),
  )

test('lists the funding accounts', async () => {
  expect(await callEndpoint(service, 'listAccounts')).toEqual({
    accounts: [
      { id: hkdAccountId, name: 'HKD account', currency: 'HKD', balance: 10_000, available: 10_000 },
      { id: usdAccountId, name: 'USD account', currency: 'USD', balance: 10_000, available: 10_000 },
    ],
  })
})

test('an entry has time and createdAt, Xmetadata with a capital X, and no balance until it is posted', async () => {
  const { transactions } = await callEndpoint(service, 'listAccountTransactions', {
    query: { accountId: hkdAccountId },
  })
  expect(transactions.every(({ time, createdAt }) => time >= createdAt)).toBe(true)
  expect(transactions.map(({ balance }) => balance)).toEqual([null, 100])
  expect(transactions[1]).toMatchObject({ amount: -12.5, Xmetadata: { run: 7 } })
  expect(transactions[1]).not.toHaveProperty('xmetadata')
})

test('the ledger is filtered by account, intent, status and dates with both ends', async () => {
  expect(await found({})).toEqual([2, 1, 0])
  expect(await found({ accountId: usdAccountId })).toEqual([2])
  expect(await found({ intent: 'topup' })).toEqual([1])
  expect(await found({ status: 'void' })).toEqual([2])
  expect(await found({ dateRangeFrom: times[1] ?? '', dateRangeTo: times[2] ?? '' })).toEqual([2, 1])
  expect(await found({ dateRangeFrom: '9999-01-31T00:00Z', pageSize: '99999999999999999999' })).toEqual([])
  expect(await found({ dateRangeTo: '2026-03-01T08:00:00+08:00' })).toEqual([0])
})

test('refuses an unknown account with ACCOUNT_NOT_FOUND, and a start after the end beside every other mistake', async () => {
  const unknown = await service.call('listAccountTransactions', { query: { accountId: randomUUID() } })
  expect([unknown.status, unknown.json.code]).toEqual([404, 'ACCOUNT_NOT_FOUND'])
  const wrong = await service.call('listAccountTransactions', {
    query: { dateRangeFrom: times[2] ?? '', dateRangeTo: times[0] ?? '', pageSize: '0', intent: 'gift' },
  })
  expect(wrong.json.code).toBe('INVALID_PARAMETERS')
  for (const field of ['dateRangeFrom', 'pageSize', 'intent']) expect(wrong.json.message).toContain(`${field}: `)
})
