import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { listCardAccounts, readAggregateBalances, readCardAccount } from '#lib/console/card-accounts/list.ts'
import { readCard } from '#lib/console/cards/detail.ts'
import { listProgramCards } from '#lib/console/cards/list-program-cards.ts'
import { exportList } from '#lib/console/export/export.ts'
import { readOverview } from '#lib/console/overview.ts'
import { openConsole, type TestConsole } from '#lib/console/testing/open-console.ts'
import { stubList, stubResponses } from '#lib/console/testing/stub-responses.ts'
import { listTransactions } from '#lib/console/transactions/list.ts'
import { deviationsWritten } from '#lib/environments/deviations.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { hourMs } from '#lib/shared/time.ts'
import { indexedAccounts, indexedCards, accountProgress } from '#lib/tables/card-accounts.ts'
import { deviations } from '#lib/tables/connection.ts'
import type { CardAccountFilters } from './account-filter.ts'
import { accountIndex } from './accounts-sync.ts'
import { singleFlight, readingsDone } from './single-flight.ts'

const wholeId = 'AAAAAAAA-0000-1000-8000-00000000000A'

/** What a service may send: ids of any form, amounts as text or with a binary tail, fields that are absent or null. */
const accounts = [
  {
    id: wholeId,
    name: 'Whole',
    currency: 'HKD',
    balance: '400.40000000000003',
    outstanding: '12.5',
    available: 7,
    disputeAmount: 0,
    limit: 10,
    createdAt: 1_760_000_000,
  },
  { id: '00017', name: 'Zoë', currency: 'HKD', balance: -3, createdAt: '2026-01-02T00:00:00Z' },
  { id: 'acc_lower', currency: 'HKD', balance: null, outstanding: 'much', name: null },
  { id: 'ACC/2?x=1', currency: null, balance: 5 },
  { id: 'acc-3' },
  { name: 'without an id', balance: 1_000_000 },
  { id: 'x'.repeat(201), name: 'an id that is too long' },
]

const nonconformingCards = [
  { id: 'CARD-Ab', cardAccountId: wholeId.toLowerCase(), status: 'active', last4: 4242 },
  { id: 'card-2', status: null },
  { status: 'locked' },
]

async function openOddService(): Promise<{ desk: TestConsole; received: Map<string, URLSearchParams[]> }> {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const received = stubResponses(desk, {
    '/cardaccounts': stubList('cardaccounts', accounts, 'cardAccountId'),
    '/cards': (query) => ({
      cards: query.get('cardAccountId') === wholeId ? nonconformingCards : [],
      nextPageToken: null,
    }),
  })
  return { desk, received }
}

test('a card with values that fit no column is listed without them, and one that cannot be read is counted', async () => {
  const { desk } = await openOddService()
  stubResponses(desk, {
    '/cardaccounts': stubList('cardaccounts', accounts, 'cardAccountId'),
    '/cards': (query) => ({
      cards:
        query.get('cardAccountId') === wholeId
          ? [
              {
                id: 'odd',
                status: 'active',
                expiryYear: 99_999_999_999,
                expiryMonth: 4,
                cardLimit: 1e20,
                dailyLimit: 5,
              },
              { id: 'long', status: 'active', embossedName: 'n'.repeat(5000), expiryYear: 2031, expiryMonth: 4 },
              { status: 'locked' },
            ]
          : [],
      nextPageToken: null,
    }),
  })
  await desk.signIn('viewer')
  await listCardAccounts('sandbox', {})
  await readCardAccount('sandbox', wholeId)
  const { cards, excluded } = await listProgramCards('sandbox', {})
  expect(cards.map(({ id, expiresOn, cardLimit }) => [id, expiresOn, cardLimit]).toSorted()).toEqual([
    ['long', 203104, null],
    ['odd', null, null],
  ])
  expect(excluded).toBe(1)
})

test('what the service does not provide is null in the list, never 0, 1970 or an empty text', async () => {
  await openOddService()
  const { rows, matching, coverage } = await listCardAccounts('sandbox', { sort: 'name' })
  expect(matching).toBe(5)
  expect(coverage).toMatchObject({ isComplete: true, excluded: 2 })
  const byId = new Map(rows.map(({ account }) => [account.id, account]))
  expect(byId.get(wholeId)).toMatchObject({
    balance: 400.4,
    outstanding: 12.5,
    limit: 10,
    createdAt: '2025-10-09T08:53:20.000Z',
  })
  expect(byId.get('acc-3')).toEqual({
    id: 'acc-3',
    xid: null,
    xmetadata: null,
    name: null,
    phoneNumber: null,
    identityType: null,
    accountType: null,
    currency: null,
    limit: null,
    balance: null,
    outstanding: null,
    available: null,
    disputeAmount: null,
    clientIdentityStatus: null,
    createdAt: null,
  })
  expect(byId.get('acc_lower')).toMatchObject({ name: null, outstanding: null, balance: null })
})

test('sums exclude missing values and count the excluded accounts', async () => {
  await openOddService()
  const { totals, totalsExcluded } = await listCardAccounts('sandbox', {})
  expect(totals).toEqual([
    {
      currency: 'HKD',
      accounts: 3,
      balance: '397.4',
      outstanding: '12.5',
      available: '7',
      disputeAmount: '0',
      excluded: 2,
    },
  ])
  expect(totalsExcluded).toBe(2)
  const lacking = await listCardAccounts('sandbox', { q: 'acc_lower' })
  expect(lacking.totals).toMatchObject([{ balance: null, outstanding: null, excluded: 1 }])
  expect((await listCardAccounts('sandbox', { outstanding: 'yes' })).rows.map(({ account }) => account.id)).toEqual([
    wholeId,
  ])
})

test('a missing value comes last in both directions, and pages of any size go through it and back', async () => {
  await openOddService()
  const sorts = ['createdAt', 'name', 'balance', 'outstanding', 'cards'] satisfies CardAccountFilters['sort'][]
  await listCardAccounts('sandbox', {})
  await readingsDone()
  for (const sort of sorts) {
    for (const direction of ['asc', 'desc'] as const) {
      const isAmount = sort === 'balance' || sort === 'outstanding'
      const search: CardAccountFilters = { sort, direction, ...(isAmount ? { currency: 'HKD' } : {}) }
      const whole = (await listCardAccounts('sandbox', search)).rows
      const values = whole.map(({ account, cards }) => (sort === 'cards' ? cards : account[sort]))
      const firstMissing = values.findIndex((value) => value === null)
      expect(whole).toHaveLength(isAmount ? 3 : 5)
      expect(firstMissing, sort).toBe(sort === 'cards' ? -1 : values.filter((value) => value !== null).length)
      if (firstMissing >= 0) expect(new Set(values.slice(firstMissing))).toEqual(new Set([null]))
      const ids = whole.map(({ account }) => account.id)
      for (const pageSize of [1, 3]) {
        const found: string[] = []
        let page = await listCardAccounts('sandbox', { ...search, pageSize })
        for (;;) {
          expect(page.first).toBe(found.length + 1)
          found.push(...page.rows.map(({ account }) => account.id))
          if (page.nextPageToken === null) break
          page = await listCardAccounts('sandbox', { ...search, pageSize, pageToken: page.nextPageToken })
        }
        expect(found, `${sort} ${direction} ${pageSize}`).toEqual(ids)
        const back = page.rows.map(({ account }) => account.id)
        while (page.prevPageToken) {
          page = await listCardAccounts('sandbox', { ...search, pageSize, pageToken: page.prevPageToken })
          back.unshift(...page.rows.map(({ account }) => account.id))
        }
        expect(back, `back: ${sort} ${direction} ${pageSize}`).toEqual(ids)
      }
    }
  }
})

test('an account and a card are found by their ids in any case; the service gets the ids as it sent them', async () => {
  const { desk, received } = await openOddService()
  await listCardAccounts('sandbox', {})
  await readingsDone()
  received.get('/cardaccounts')?.splice(0)
  received.get('/cards')?.splice(0)
  const detail = await readCardAccount('sandbox', wholeId.toLowerCase())
  expect(detail).toMatchObject({ account: { id: wholeId }, cardsExcluded: 1, hasMoreCards: false })
  expect(detail.cards.map(({ id, status, last4 }) => [id, status, last4])).toEqual([
    ['CARD-Ab', 'active', '4242'],
    ['card-2', null, null],
  ])
  const [row] = (await listCardAccounts('sandbox', { q: wholeId })).rows
  expect(row?.cards, 'a card without an id counts').toBe(3)
  const found = await readCard('sandbox', wholeId.toLowerCase(), 'card-AB')
  expect(found).toMatchObject({ card: { id: 'CARD-Ab' }, account: { id: wholeId } })
  const unknown = await readCard('sandbox', wholeId, 'card-2')
  expect(unknown.history).toMatchObject({ entries: [], current: { status: null } })
  expect(unknown.history.rail.some(({ isNow }) => isNow)).toBe(false)
  for (const query of [...(received.get('/cardaccounts') ?? []), ...(received.get('/cards') ?? [])]) {
    expect(query.get('cardAccountId')).toBe(wholeId)
  }
  expect((await listCardAccounts('sandbox', { q: 'card-aB' })).rows.map(({ account }) => account.id)).toEqual([wholeId])
  expect((await listCardAccounts('sandbox', { q: '00017' })).matching).toBe(1)
  expect((await readCardAccount('sandbox', 'ACC/2?x=1')).account.balance).toBe(5)

  await desk.stopService()
  const stored = await readCardAccount('sandbox', wholeId.toLowerCase())
  expect(stored).toMatchObject({ account: { id: wholeId }, cardsExcluded: 1, freshness: { source: 'index' } })
  expect(stored.cards).toHaveLength(2)
  await desk.startService()
})

test('an account whose cards have another form is shown without them, with the reason; its cards cannot be found', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  stubResponses(desk, {
    '/cardaccounts': stubList('cardaccounts', [{ id: 'Acc' }], 'cardAccountId'),
    '/cards': () => ({ data: [{ id: 'one' }] }),
  })
  const cardsProblem = 'GET /cards returned an object with "data" (a list), expected an object with "cards".'
  expect(await readCardAccount('sandbox', 'Acc')).toMatchObject({ account: { id: 'Acc' }, cards: [], cardsProblem })
  await expect(readCard('sandbox', 'Acc', 'one')).rejects.toMatchObject({
    code: 'SERVICE_REFUSED',
    message: cardsProblem,
  })
})

test('an id that no account has, of any form, is not found, and an account is not found under a part of its id', async () => {
  await openOddService()
  for (const id of ['nobody', 'acc', '', 'x'.repeat(500), 'a\u0000b']) {
    await expect(readCardAccount('sandbox', id)).rejects.toMatchObject({ code: 'CARD_ACCOUNT_NOT_FOUND' })
  }
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  await expect(readCardAccount('sandbox', 'no-uuid'), 'the built-in service wants UUIDs').rejects.toMatchObject({
    code: 'CARD_ACCOUNT_NOT_FOUND',
  })
})

test('the overview counts what it leaves out', async () => {
  const { desk } = await openOddService()
  await listCardAccounts('sandbox', {})
  await readingsDone()
  const overview = await readOverview('sandbox')
  expect(overview).toMatchObject({
    totalsExcluded: 2,
    cardsByStatus: [{ status: 'active', cards: 1 }],
    cardsExcluded: 2,
    coverage: { excluded: 2 },
  })
  stubResponses(desk, {
    '/cardaccounts/aggregate-balance': () => ({
      cardaccounts: [{ group: '', currency: 'HKD', value: '0.1' }, { value: null }, 'text', { value: 0.2 }],
    }),
    '/cardaccounts': stubList('cardaccounts', accounts, 'cardAccountId'),
  })
  expect((await readOverview('sandbox')).aggregateValue).toMatchObject({ value: '0.3', excluded: 2 })
  expect(await readAggregateBalances('sandbox', {})).toMatchObject({ balances: { length: 3 }, excluded: 1 })
  stubResponses(desk, { '/cardaccounts/aggregate-balance': () => ({ cardaccounts: [{ group: 'a' }] }) })
  expect((await readOverview('sandbox')).aggregateValue).toBeNull()
})

test('an export names the records that it lacks', async () => {
  await openOddService()
  const file = await exportList('sandbox', 'listCardAccounts', [], {})
  const facts = new Map(JSON.parse(decodeURIComponent(file.headers.get('x-file-facts') ?? '[]')) as [string, string][])
  expect(facts.get('Rows')).toBe('5')
  expect(facts.get('Complete')).toBe('NO: 2 records could not be read')
  expect(await file.text(), 'leading zeros of an id').toContain('"00017"')
})

test.each([
  ['the token', () => 'again'],
  ['the page under new tokens', () => randomUUID()],
])(
  'a reading of a list that repeats %s deletes nothing, is not complete, and pauses longer each time',
  async (_, next) => {
    const desk = await openConsole({ seeded: 3 })
    await desk.signIn('viewer')
    await accountIndex.readAll('sandbox')
    const before = await desk.db.$count(indexedAccounts)
    const received = stubResponses(desk, {
      '/cardaccounts': () => ({ cardaccounts: [{ id: 'only' }], nextPageToken: next() }),
    })
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const startedAt = Date.now()
      const look = async (afterMs: number) => {
        vi.setSystemTime(startedAt + afterMs)
        received.get('/cardaccounts')?.splice(0)
        const list = await listCardAccounts('sandbox', { pageSize: 100 })
        await readingsDone()
        return { requests: received.get('/cardaccounts')?.length, list }
      }
      expect((await look(6000)).requests, 'one page, and the page that repeats it').toBe(2)
      const { list } = await look(7000)
      expect(list.coverage).toMatchObject({ isComplete: false, isReading: false })
      expect(list.matching).toBe(before + 1)
      const requests: unknown[] = []
      for (const afterMs of [8000, 10_900, 11_100, 16_000, 21_000, 21_200, 30_000, 41_100, 41_300]) {
        requests.push((await look(afterMs)).requests)
      }
      expect(requests, 'after 5, 10 and 20 seconds').toEqual([0, 0, 2, 0, 0, 2, 0, 0, 2])
      expect(await desk.db.$count(indexedAccounts)).toBe(before + 1)
    } finally {
      vi.useRealTimers()
    }
    const [state] = await desk.db.select().from(accountProgress)
    expect(state).toMatchObject({ stoppedBecause: 'repeated-token', readingSince: null })
  },
)

test('pauses after failures grow to half a minute while the service is down, and end with a success', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.stopService()
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const times: number[] = []
    const work = () => {
      times.push(Date.now())
      return accountIndex.readAll('sandbox')
    }
    const startedAt = Date.now()
    const until = async (second: number) => {
      for (let at = 0; at <= second; at += 1) {
        vi.setSystemTime(startedAt + at * 1000)
        await singleFlight('a reading', work)
      }
    }
    await until(110)
    expect(times.map((time) => (time - startedAt) / 1000)).toEqual([0, 5, 15, 35, 65, 95])
    await desk.startService()
  } finally {
    vi.useRealTimers()
  }
})

test('where the service responds, pauses grow beyond half a minute only as a failing reading costs: three times as long, up to five minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const longestPause = async (title: string, tookSeconds: number) => {
      const startedAt = Date.now()
      const ended: number[] = []
      const began: number[] = []
      const work = async () => {
        began.push(Date.now())
        vi.setSystemTime(Date.now() + tookSeconds * 1000)
        ended.push(Date.now())
        throw new AppError('SERVICE_REFUSED', 'GET /fees isn’t available on this service (404).')
      }
      for (let at = startedAt; at <= startedAt + 3 * hourMs; at = Math.max(at, Date.now()) + 1000) {
        vi.setSystemTime(at)
        await singleFlight(title, work)
      }
      return Math.max(...began.slice(1).map((at, index) => at - (ended[index] ?? 0))) / 1000
    }
    expect(await longestPause('a reading that fails at once', 0)).toBe(30)
    expect(await longestPause('a reading that fails after 40 seconds', 40)).toBe(120)
    expect(await longestPause('a reading that fails after 10 minutes', 600)).toBe(300)
  } finally {
    vi.useRealTimers()
  }
})

test('an account that could not be read in a full reading is not taken for deleted', async () => {
  const desk = await openConsole({ seeded: 1 })
  const read = async (...records: object[]) => {
    stubResponses(desk, { '/cardaccounts': () => ({ cardaccounts: records }) })
    await accountIndex.readAll('sandbox')
    return (await desk.db.select().from(indexedAccounts)).map(({ id }) => id).toSorted()
  }
  expect(await read({ id: 'a' }, { id: 'b' })).toEqual(['a', 'b'])
  expect(await read({ id: 'a' }, { id: null })).toEqual(['a', 'b'])
  expect(await read({ id: 'a' })).toEqual(['a'])
})

test('cards of a list without an end stay in the index, and their number is not known', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  let cards: object = { cards: [{ id: 'one' }, { id: 'two' }], nextPageToken: '' }
  const received = stubResponses(desk, {
    '/cardaccounts': stubList('cardaccounts', [{ id: 'Acc' }], 'cardAccountId'),
    '/cards': () => cards,
  })
  expect(await readCardAccount('sandbox', 'Acc')).toMatchObject({ cards: { length: 2 }, hasMoreCards: false })
  cards = { cards: [{ id: 'one' }], nextPageToken: 'again' }
  received.get('/cards')?.splice(0)
  expect(await readCardAccount('sandbox', 'Acc')).toMatchObject({ hasMoreCards: true })
  expect(received.get('/cards')).toHaveLength(2)
  expect(await desk.db.$count(indexedCards)).toBe(2)
  expect((await desk.db.select().from(indexedAccounts))[0]?.cards).toBeNull()
})

test('a service that ignores filters: an account is found among the others, and its cards and transactions are its own', async () => {
  const desk = await openConsole({ seeded: 30 })
  await desk.signIn('viewer')
  const unfiltered = async (name: 'listCardAccounts' | 'listCards' | 'listCardAccountTransactions', query: object) =>
    (await desk.service.call(name, { query } as never)).json as Record<string, unknown>
  const { cardaccounts } = (await unfiltered('listCardAccounts', { pageSize: '100' })) as {
    cardaccounts: { id: string }[]
  }
  const all = { cards: [] as object[], transactions: [] as object[] }
  for (const { id: cardAccountId } of cardaccounts) {
    all.cards.push(...((await unfiltered('listCards', { cardAccountId })).cards as object[]))
    all.transactions.push(
      ...((await unfiltered('listCardAccountTransactions', { cardAccountId })).transactions as object[]),
    )
  }
  const pages = (query: URLSearchParams) => {
    const from = Number(query.get('pageToken') ?? 0)
    const next = from + 4 < cardaccounts.length ? String(from + 4) : null
    return { cardaccounts: cardaccounts.slice(from, from + 4), nextPageToken: next, prevPageToken: null }
  }
  stubResponses(desk, {
    '/cardaccounts/transactions': () => ({ transactions: all.transactions, nextPageToken: null }),
    '/cardaccounts': pages,
    '/cards': () => ({ cards: all.cards, nextPageToken: null }),
  })
  const last = cardaccounts.at(-1)?.id ?? ''
  const { account, cards } = await readCardAccount('sandbox', last)
  expect(account.id).toBe(last)
  const { json } = await desk.service.call('listCards', { query: { cardAccountId: last } })
  expect(cards.map(({ id }) => id)).toEqual((json.cards as { id: string }[]).map(({ id }) => id))
  const { transactions } = await listTransactions('sandbox', last, {})
  expect(new Set(transactions.map(({ cardAccountId }) => cardAccountId))).toEqual(
    new Set(transactions.length === 0 ? [] : [last]),
  )
  await expect(readCardAccount('sandbox', '00000000-0000-4000-8000-00000000abcd')).rejects.toMatchObject({
    code: 'CARD_ACCOUNT_NOT_FOUND',
  })
  await deviationsWritten()
  const noted = await desk.db.select().from(deviations)
  expect(noted.map(({ endpoint, expected }) => `${endpoint}: ${expected}`)).toEqual(
    expect.arrayContaining([
      'listCardAccounts: only what cardAccountId names',
      'listCards: only what cardAccountId names',
    ]),
  )
})

test('cards that all name another form of the account’s id are shown, and those of another account never', async () => {
  const desk = await openConsole({ seeded: 2 })
  await desk.signIn('viewer')
  const cards = [{ id: 'c-1', cardAccountId: 'ACC-7', status: 'active' }]
  stubResponses(desk, { '/cards': () => ({ cards, nextPageToken: null }) })
  const [row, other] = (await listCardAccounts('sandbox', {})).rows
  const cardsOf = async () => readCardAccount('sandbox', row?.account.id ?? '')
  expect((await cardsOf()).cards).toMatchObject([{ id: 'c-1' }])
  cards[0] = { id: 'c-2', cardAccountId: other?.account.id ?? '', status: 'active' }
  expect(await cardsOf()).toMatchObject({ cards: [], cardsExcluded: 1 })
  const { coverage } = await listCardAccounts('sandbox', {})
  expect(coverage.isComplete).toBe(true)
})
