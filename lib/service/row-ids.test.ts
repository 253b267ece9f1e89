import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { Uuid } from '#lib/contract/fields.ts'
import { execute, hkdAccountId, insertFundingAccounts, quote, usdAccountId } from './payouts/testing.ts'
import { newRowId } from './row-ids.ts'
import { findProductId, newAccount, openAccount } from './testing-accounts.ts'
import { openTestService, type TestResponse, type TestService } from './testing.ts'

test('ids grow, also within a millisecond and where the clock of the machine goes back', () => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) })
  const ids = Array.from({ length: 300 }, newRowId)
  vi.setSystemTime(Date.UTC(2029, 11, 31))
  ids.push(newRowId())
  vi.setSystemTime(Date.UTC(2030, 0, 2))
  ids.push(newRowId())
  vi.useRealTimers()
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids.map((id) => id.slice(15))).size).toBe(ids.length)
  for (const id of ids) {
    expect(Uuid.parse(id)).toBe(id)
    expect(id).toMatch(/^.{14}4.{4}[89ab]/)
  }
})

type Target = { cardAccountId: string; cardId: string }
type Made = {
  list: EndpointName
  query?: (target: Target) => Record<string, string>
  make: (target: Target, place: number) => Promise<TestResponse['json']>
  isPaged?: false
}

let service: TestService
let target: Target
beforeAll(async () => {
  service = await openTestService({ seeded: 1 })
  await insertFundingAccounts(service)
  target = await openAccount(service, { limit: 100_000 })
  expect((await service.control('POST', '/clock', { freeze: true })).json.isFrozen).toBe(true)
})
afterAll(() => service.close())

async function made(response: Promise<TestResponse>): Promise<TestResponse['json']> {
  const { status, json, text } = await response
  expect(status, text).toBe(200)
  return json
}

const ofAccount = ({ cardAccountId }: Target) => ({ cardAccountId })
const lists: Record<string, Made> = {
  cardaccounts: {
    list: 'listCardAccounts',
    make: async () => (await made(service.call('createCardAccount', { body: newAccount }))).id,
  },
  cards: {
    list: 'listCards',
    query: ofAccount,
    make: async ({ cardAccountId }) => {
      const productId = await findProductId(service, 'virtual')
      const body = { type: 'virtual', cardAccountId, productId, embossedName: 'LEE KA YAN' }
      return (await made(service.call('issueCard', { body }))).id
    },
  },
  transactions: {
    list: 'listCardAccountTransactions',
    query: ofAccount,
    make: async (card) => {
      const body = { ...card, amount: 1, currency: 'HKD' }
      return (await made(service.call('simulateAuthorization', { body }))).cardTransactionId
    },
  },
  fees: {
    list: 'listFees',
    make: async ({ cardAccountId }) =>
      (await made(service.control('POST', '/fees', { cardAccountId, intent: 'annual-fee', amount: 1 }))).id,
  },
  payouts: {
    list: 'listPayouts',
    make: async () => (await execute(service, (await quote(service)).id)).id,
  },
  // Of two accounts, one after the other.
  'transactions of funding accounts': {
    list: 'listAccountTransactions',
    make: async (_, place) => {
      const accountId = place % 4 < 2 ? hkdAccountId : usdAccountId
      const body = { accountId, amount: 1, description: `Top-up ${place}` }
      await made(service.control('POST', '/funding-accounts/top-up', body))
      return body.description
    },
  },
  webhooks: {
    list: 'listWebhooks',
    make: async (_, place) => {
      const body = { url: `https://hooks.example.com/${place}`, events: ['*'] }
      return (await made(service.call('createWebhook', { body }))).id
    },
    isPaged: false,
  },
}

test.each(Object.entries(lists))(
  '%s made while the clock stands are listed in their order, in pages that stay while more are made',
  async (name, { list, query = () => ({}), make, isPaged = true }) => {
    const makeRows = async (count: number, from: number) => {
      const keys: string[] = []
      for (let place = from; place < from + count; place++) keys.unshift(await make(target, place))
      return keys
    }
    const read = async (page: Record<string, string> = {}) => {
      const json = await made(service.call(list, { query: { ...query(target), ...page } }))
      const rows = json[name.split(' ')[0] ?? ''] as { id: string; description?: string }[]
      const keys = rows.map(({ id, description = '' }) => (description.startsWith('Top-up ') ? description : id))
      return { keys, next: json.nextPageToken as string, prev: json.prevPageToken as string }
    }

    const older = await makeRows(8, 0)
    if (!isPaged) return expect((await read()).keys.slice(0, 8)).toEqual(older)
    const first = await read({ pageSize: '4' })
    expect(first.keys).toEqual(older.slice(0, 4))
    const newer = await makeRows(4, 8)
    const second = await read({ pageSize: '4', pageToken: first.next })
    expect(second.keys).toEqual(older.slice(4))
    expect((await read({ pageSize: '4', pageToken: second.prev })).keys).toEqual(first.keys)
    expect((await read({ pageSize: '12' })).keys).toEqual([...newer, ...older])
  },
)
