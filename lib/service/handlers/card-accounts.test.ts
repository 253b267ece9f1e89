import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AggregateBalance, CardAccount } from '#lib/contract/card-accounts.ts'
import { amount, sum } from '#lib/shared/money.ts'
import { rateAt } from '../rates.ts'
import { addCardAccount } from '../testing-records.ts'
import { openTestService, testService, type TestService } from '../testing.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService()
})
afterAll(() => opened.close())

async function list(query: Record<string, string> = {}) {
  return (await opened.call('listCardAccounts', { query })).json
}

test('reports balance, outstanding and available of credit and prepaid accounts', async () => {
  const { db } = opened.service
  const add = (given: Parameters<typeof addCardAccount>[1]) => addCardAccount(db, given)
  const owing = await add({ limit: '1000', balance: '-250.25', disputeAmount: '12.5' })
  const credited = await add({ limit: '1000', balance: '40' })
  const prepaid = await add({ accountType: 'prepaid', limit: '0', balance: '75.1' })
  const find = async (cardAccountId: string) => (await list({ cardAccountId })).cardaccounts[0]
  expect(await find(owing)).toMatchObject({
    balance: -250.25,
    outstanding: 250.25,
    available: 749.75,
    disputeAmount: 12.5,
  })
  expect(await find(credited)).toMatchObject({ balance: 40, outstanding: 0, available: 1040, disputeAmount: 0 })
  expect(await find(prepaid)).toMatchObject({ balance: 75.1, outstanding: 0, available: 75.1, limit: 0 })
})

test('finds by id and by xid, and nothing else', async () => {
  const xid = `xid ${randomUUID()}`
  const id = await addCardAccount(opened.service.db, { xid })
  const ids = async (query: Record<string, string>) =>
    (await list(query)).cardaccounts.map((account: CardAccount) => account.id)
  expect(await ids({ xid })).toEqual([id])
  expect(await ids({ cardAccountId: id.toUpperCase(), xid })).toEqual([id])
  expect(await ids({ cardAccountId: id, xid: 'other' })).toEqual([])
  expect(await ids({ cardAccountId: randomUUID() })).toEqual([])
})

test('pages over the interface: 20 rows by default, 100 at most, tokens bound to the filter', async () => {
  const service = await testService()
  await Promise.all(Array.from({ length: 130 }, () => addCardAccount(service.service.db)))
  const page = async (query: Record<string, string>) => (await service.call('listCardAccounts', { query })).json
  expect((await page({})).cardaccounts).toHaveLength(20)
  expect((await page({ pageSize: '9999' })).cardaccounts).toHaveLength(100)
  const ids = new Set<string>()
  let pageToken: string | null = ''
  do {
    const response: { cardaccounts: CardAccount[]; nextPageToken: string | null } = await page(
      pageToken ? { pageSize: '50', pageToken } : { pageSize: '50' },
    )
    for (const account of response.cardaccounts) ids.add(account.id)
    pageToken = response.nextPageToken
  } while (pageToken)
  expect(ids.size).toBe(130)
  const { nextPageToken } = await page({})
  expect(await service.call('listCardAccounts', { query: { pageToken: nextPageToken, xid: 'a' } })).toMatchObject({
    status: 400,
    json: { code: 'INVALID_PARAMETERS', message: expect.stringContaining('pageToken') },
  })
})

test('adds balances up per group and currency, and values them at the current rate', async () => {
  const service = await testService()
  const { db } = service.service
  const add = (currency: string, balance: string, xmetadata: never) =>
    addCardAccount(db, { currency, balance, xmetadata })
  const rows: [string, string, unknown][] = [
    ['HKD', '0.1', { team: 'red' }],
    ['HKD', '0.2', { team: 'red' }],
    ['USD', '5', { team: 'red' }],
    ['HKD', '7', { team: 7 }],
    ['HKD', '11', { team: ['a', 1] }],
    ['HKD', '31', { team: { a: 1, b: [true] } }],
    ['HKD', '0.5', { team: '7' }],
    ['HKD', '13', { team: null }],
    ['HKD', '17', { other: 1 }],
    ['HKD', '19', null],
    ['HKD', '23', 'team'],
    ['HKD', '29', ['team']],
  ]
  for (const [currency, balance, xmetadata] of rows) await add(currency, balance, xmetadata as never)

  const aggregate = async (query: Record<string, string>) =>
    (await service.call('aggregateBalance', { query })).json.cardaccounts as AggregateBalance[]
  const groups = await aggregate({ groupKey: 'team' })
  expect(groups.map(({ group, currency, balance }) => [group, currency, balance])).toEqual([
    ['', 'HKD', 88],
    ['7', 'HKD', 7.5],
    ['["a",1]', 'HKD', 11],
    ['null', 'HKD', 13],
    ['red', 'HKD', 0.3],
    ['red', 'USD', 5],
    ['{"a":1,"b":[true]}', 'HKD', 31],
  ])
  const all = await aggregate({})
  expect(all.map(({ group, currency, balance }) => [group, currency, balance])).toEqual([
    ['', 'HKD', Number(sum(rows.filter(([currency]) => currency === 'HKD').map(([, balance]) => balance)))],
    ['', 'USD', 5],
  ])
  // The rate moves every few seconds: that of now, or of a moment ago.
  const rates = [0, 5_000].map((ago) => rateAt(new Date(Date.now() - ago), 'HKD', 'USD'))
  const values = rates.map((rate) => Number(amount('150.8').times(rate).toDecimalPlaces(2)))
  expect(values).toContain(all[0]?.value)
  expect(all[1]?.value).toBe(5)
})

test('rounds a total beyond 15 digits to them, which one balance may have', async () => {
  const service = await testService()
  const add = () => addCardAccount(service.service.db, { currency: 'USD', balance: '9999999999999.99' })
  const total = async () => (await service.call('aggregateBalance', { query: {} })).json.cardaccounts[0]
  await add()
  expect(await total()).toMatchObject({ balance: 9_999_999_999_999.99, value: 9_999_999_999_999.99 })
  await add()
  expect(await total()).toMatchObject({ balance: 20_000_000_000_000, value: 20_000_000_000_000 })
})
