import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { readingsDone } from '#lib/index/single-flight.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { changes } from '#lib/tables/changes.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { exportList } from '../export/export.ts'
import { applyInbox, applyingDone } from '../inbox/apply.ts'
import { listInbox } from '../inbox/read.ts'
import { deliver, makeEvent, readInboxEvents, signingKey } from '../testing/deliveries.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { stubList, stubResponses } from '../testing/stub-responses.ts'
import { payoutIndex, readOnePayout } from './index-payouts.ts'
import { listPayouts } from './list-payouts.ts'
import type { PayoutFilters } from './payout-filters.ts'
import { readPayout } from './read-payout.ts'

const wholeId = 'PAY-0001-Ab'

const payouts = [
  {
    id: wholeId,
    created: '2026-11-20T08:00:00Z',
    updated: 1_795_000_000_000,
    method: 'BANK_TRANSFER',
    accountId: 'FUND-1',
    sourceCurrency: 'HKD',
    destinationCurrency: 'PHP',
    sourceAmount: '400.40000000000003',
    destinationAmount: '2900.10',
    rate: 7.25,
    status: 'requested',
    destination: { accountHolderName: 'Maria Santos', accountNumber: 1230456789 },
  },
  { id: '17', sourceCurrency: 'HKD', sourceAmount: null, status: 'requested', created: '2026-11-19' },
  { id: 'p-3', sourceCurrency: 'HKD', sourceAmount: 2, created: '2026-11-19T08:00:00Z' },
  { id: 'p-4', destination: null },
  { status: 'completed', sourceCurrency: 'HKD', sourceAmount: 1_000_000 },
]

async function openOddService(): Promise<{ desk: TestConsole; received: Map<string, URLSearchParams[]> }> {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const received = stubResponses(desk, {
    '/payouts': stubList('payouts', payouts, 'payoutId'),
    '/accounts': () => ({ accounts: [{ id: 'fund-1', name: 'Float' }, { id: 'fund-2' }, { name: 'nobody' }] }),
  })
  return { desk, received }
}

test('what the service does not provide is null in the list, and in no sum', async () => {
  await openOddService()
  const list = await listPayouts('sandbox', {})
  expect(list).toMatchObject({ matching: 4, coverage: { isComplete: true, excluded: 1 } })
  expect(list.payouts.find(({ id }) => id === 'p-4')).toMatchObject({
    created: null,
    updated: null,
    method: null,
    accountId: null,
    sourceCurrency: null,
    sourceAmount: null,
    rate: null,
    status: null,
    destination: { accountHolderName: null },
  })
  expect(list.totals.source).toEqual([
    {
      currency: 'HKD',
      payouts: 3,
      excluded: 1,
      statuses: [
        { status: 'requested', amount: '400.4' },
        { status: null, amount: '2' },
      ],
    },
  ])
  expect(list.totals.destination).toMatchObject([{ currency: 'PHP', payouts: 1, excluded: 0 }])
  expect(list.totalsExcluded).toEqual({ source: 1, destination: 3 })
  expect(list.offered).toEqual({
    statuses: ['requested'],
    methods: ['BANK_TRANSFER'],
    sourceCurrencies: ['HKD'],
    destinationCurrencies: ['PHP'],
    accounts: [{ id: 'FUND-1', name: 'Float', currency: 'HKD' }],
  })
  expect((await listPayouts('sandbox', { accountId: 'fund-1' })).payouts.map(({ id }) => id)).toEqual([wholeId])
  expect((await listPayouts('sandbox', { q: 'PAY-0001-AB' })).payouts.map(({ id }) => id)).toEqual([wholeId])
  const { headers } = await exportList('sandbox', 'listPayouts', [], {})
  expect(decodeURIComponent(headers.get('x-file-facts') ?? '')).toContain('NO: 1 record could not be read')
})

test('a missing time or amount comes last in both directions, and pages go through it and back', async () => {
  await openOddService()
  const searches: [PayoutFilters, string][] = [
    [{ sort: 'created', direction: 'asc' }, 'p-3'],
    [{ sort: 'created', direction: 'desc' }, wholeId],
    [{ sort: 'sourceAmount', sourceCurrency: 'HKD', direction: 'asc' }, 'p-3'],
    [{ sort: 'sourceAmount', sourceCurrency: 'HKD', direction: 'desc' }, wholeId],
  ]
  for (const [search, first] of searches) {
    const whole = (await listPayouts('sandbox', search)).payouts
    expect(whole[0]?.id).toBe(first)
    expect(search.sort === 'created' ? whole.at(-1)?.created : whole.at(-1)?.sourceAmount).toBeNull()
    const found: string[] = []
    let page = await listPayouts('sandbox', { ...search, pageSize: 1 })
    for (;;) {
      found.push(...page.payouts.map(({ id }) => id))
      if (page.nextPageToken === null) break
      page = await listPayouts('sandbox', { ...search, pageSize: 1, pageToken: page.nextPageToken })
    }
    expect(found).toEqual(whole.map(({ id }) => id))
    while (page.prevPageToken) {
      page = await listPayouts('sandbox', { ...search, pageSize: 1, pageToken: page.prevPageToken })
      expect(page.payouts.map(({ id }) => id)).toEqual([found[page.first - 1]])
    }
    expect(page.first).toBe(1)
  }
})

test('a payout is found by its id in any case, also as an event spells it; the service gets the id as it sent it', async () => {
  const { desk, received } = await openOddService()
  const key = await signingKey()
  await listPayouts('sandbox', {})
  received.get('/payouts')?.splice(0)
  await deliver(key, makeEvent('payout.updated', { ...payouts[0], id: wholeId.toLowerCase(), status: 'processing' }))
  await deliver(key, makeEvent('payout.updated', { id: 17 }))
  await applyingDone()
  expect(await readInboxEvents(desk)).toMatchObject([
    { payoutId: wholeId.toLowerCase(), problem: null, appliedAt: expect.any(Date), isKnown: true },
    { payoutId: '17', problem: null, appliedAt: expect.any(Date) },
  ])
  const { payout, timeline, fundingAccountName } = await readPayout('sandbox', wholeId.toUpperCase())
  expect(payout).toMatchObject({ id: wholeId, sourceAmount: '400.4', destinationAmount: '2900.1' })
  expect(fundingAccountName).toBe('Float')
  expect(timeline.entries.flatMap((entry) => (entry.kind === 'state' ? entry.events : []))).toHaveLength(1)
  expect((await listInbox('sandbox', {})).events.map(({ payoutTo }) => payoutTo)).toEqual([null, 'Maria Santos'])
  expect(new Set(received.get('/payouts')?.map((query) => query.get('payoutId')))).toEqual(new Set([wholeId, '17']))
  expect(await desk.db.$count(indexedPayouts)).toBe(4)
  for (const id of ['nobody', '', 'x'.repeat(500)]) {
    await expect(readPayout('sandbox', id)).rejects.toMatchObject({ code: 'PAYOUT_NOT_FOUND' })
  }
})

test('a payout that the service no longer has is deleted from the index, one that it returns without an id is not', async () => {
  const { desk } = await openOddService()
  await listPayouts('sandbox', {})
  stubResponses(desk, { '/payouts': () => ({ payouts: [{ status: 'requested' }] }) })
  await expect(readOnePayout('sandbox', 'p-3')).rejects.toMatchObject({ code: 'SERVICE_REFUSED' })
  expect(await desk.db.$count(indexedPayouts)).toBe(4)
  stubResponses(desk, { '/payouts': () => ({ payouts: [] }) })
  await expect(readOnePayout('sandbox', 'P-3')).rejects.toMatchObject({ code: 'PAYOUT_NOT_FOUND' })
  expect(await desk.db.$count(indexedPayouts)).toBe(3)
})

test('a reading that stops early deletes no payout and is not complete', async () => {
  const { desk } = await openOddService()
  await payoutIndex.readAll('sandbox')
  stubResponses(desk, { '/payouts': () => ({ payouts: [{ id: 'new' }], nextPageToken: 'again' }) })
  await expect(payoutIndex.readAll('sandbox')).rejects.toThrow('repeats a page')
  expect(await desk.db.$count(indexedPayouts)).toBe(5)
  expect(await payoutIndex.coverage('sandbox')).toMatchObject({
    isComplete: false,
    isReading: false,
    asOf: expect.any(String),
  })
})

test('while full readings of many payouts pause, the newest page is still read', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const many = { payouts: Array.from({ length: 501 }, (_, place) => ({ id: `p-${place}` })), nextPageToken: 'again' }
  const received = stubResponses(desk, { '/payouts': () => many })
  const requests: unknown[] = []
  for (let look = 0; look < 3; look += 1) {
    await listPayouts('sandbox', {})
    await readingsDone()
    requests.push(received.get('/payouts')?.splice(0).length)
  }
  expect(requests).toEqual([2, 1, 0])
})

test('an event about a card spells ids in another case: the account is read once by its own id, open pages hear of that id', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const key = await signingKey()
  const received = stubResponses(desk, {
    '/cardaccounts': stubList('cardaccounts', [{ id: 'Acc-1', name: 'Ann' }], 'cardAccountId'),
    '/cards': () => ({ cards: [{ id: 'Card-1', last4: '0007', status: 'active' }] }),
  })
  await deliver(key, makeEvent('cardaccount.created', { id: 'Acc-1' }))
  await applyingDone()
  await desk.db.delete(changes)
  received.get('/cards')?.splice(0)
  await deliver(key, makeEvent('card.updated', { id: 'CARD-1', cardAccountId: 'ACC-1' }))
  await applyingDone()
  await applyInbox()
  expect(received.get('/cards')?.map((query) => query.get('cardAccountId'))).toEqual(['Acc-1'])
  expect((await desk.db.select().from(changes)).flatMap(({ about }) => about)).toContainEqual({
    type: 'card',
    id: 'Card-1',
    cardAccountId: 'Acc-1',
  })
  const [event] = (await listInbox('sandbox', { cardAccountId: 'acc-1', cardId: 'card-1' })).events
  expect(event).toMatchObject({ cardId: 'CARD-1', accountName: 'Ann', cardLast4: '0007' })
  expect(await desk.db.$count(indexedAccounts, eq(indexedAccounts.environment, 'sandbox'))).toBe(1)
})
