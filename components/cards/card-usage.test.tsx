import { expect, test } from 'vitest'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { unboundCardLimit } from '#lib/contract/terms.ts'
import { boundLimits, cardDayStart, limitUsage, pendingFilters, smallerPurchases, usageFilters } from './card-usage.ts'

const limits = {
  cardLimit: 1000,
  dailyLimit: 500,
  dailyPurchaseLimit: 400,
  dailyAtmLimit: 300,
  cardPresentLimit: 200,
  cardNotPresentLimit: 100,
  singleTransactionLimit: 50,
}
const nowMs = Date.parse('2026-11-20T02:00:00Z')

function charge(
  createdAt: string,
  amount: number,
  changes: Partial<CardAccountTransaction> = {},
): CardAccountTransaction {
  return {
    id: 'a',
    xid: null,
    xmetadata: null,
    refId: 'r',
    cardAccountId: 'b',
    cardId: 'c',
    cardLast4: '4242',
    cardEmbossedName: 'LEE',
    createdAt,
    status: 'posted',
    postedAt: null,
    intent: 'charge',
    authorization: null,
    merchant: null,
    currency: 'HKD',
    amount,
    entryType: 'CREDIT',
    description: '',
    disputeStatus: null,
    grossAmount: amount,
    ...changes,
  }
}

test('a day begins at midnight in Hong Kong', () => {
  expect(cardDayStart(nowMs)).toBe('2026-11-19T16:00:00.000Z')
})

test('a limit that the interface gives no period is shown with none, and nothing is counted against it', () => {
  const read = { transactions: [charge('2026-11-20T01:00:00.000Z', 5)], nextPageToken: null }
  const rows = limitUsage(limits, read, nowMs, false).filter(({ used }) => used === null)
  expect(rows.map(({ label }) => label)).toEqual([
    'Card present',
    'Card not present',
    'Card limit',
    'Single transaction',
  ])
})

test('the limits of its own are those that bind', () => {
  const unbound = { ...limits, dailyLimit: unboundCardLimit, cardLimit: null }
  expect(boundLimits(unbound).map(({ label }) => label)).not.toContain('Per day')
  expect(boundLimits(unbound)).toContainEqual({ label: 'Single transaction', limit: 50 })
  expect(boundLimits(unbound)).toHaveLength(5)
})

test('each daily limit counts its own charges of the day, and declined ones never', () => {
  const transactions = [
    charge('2026-11-20T01:00:00.000Z', 0.1),
    charge('2026-11-20T00:00:00.000Z', 0.2, { intent: 'withdraw' }),
    charge('2026-11-20T00:00:00.000Z', 99, { status: 'declined' }),
    charge('2026-11-02T00:00:00.000Z', 5),
  ]
  const used = Object.fromEntries(
    limitUsage(limits, { transactions, nextPageToken: null }, nowMs, false).map((row) => [row.name, row.used]),
  )
  expect(used).toEqual({
    dailyLimit: '0.3',
    dailyPurchaseLimit: '0.1',
    dailyAtmLimit: '0.2',
    cardPresentLimit: null,
    cardNotPresentLimit: null,
    cardLimit: null,
    singleTransactionLimit: null,
  })
})

test('a card without limits shows none, and still shows what was charged', () => {
  const unbound = Object.fromEntries(Object.keys(limits).map((name) => [name, unboundCardLimit])) as typeof limits
  const read = { transactions: [charge('2026-11-20T01:00:00.000Z', 7)], nextPageToken: null }
  const rows = limitUsage({ ...unbound, dailyAtmLimit: 300 }, read, nowMs, false)
  expect(rows.map(({ name, limit }) => [name, limit]).filter(([, limit]) => limit !== 'none')).toEqual([
    ['dailyAtmLimit', 300],
  ])
  expect(rows.find(({ name }) => name === 'dailyLimit')).toMatchObject({ limit: 'none', used: '7' })
})

test('a part of the day is never passed off as the day', () => {
  const isAtLeast = (createdAt: string) => {
    const rows = limitUsage(limits, { transactions: [charge(createdAt, 1)], nextPageToken: 'more' }, nowMs, false)
    return rows.find(({ name }) => name === 'dailyLimit')?.isAtLeast
  }
  expect(isAtLeast('2026-11-20T01:00:00.000Z')).toBe(true)
  expect(isAtLeast('2026-11-19T01:00:00.000Z')).toBe(false)
  const nothing = limitUsage(limits, { transactions: [], nextPageToken: 'more' }, nowMs, false)
  expect(nothing.find(({ name }) => name === 'dailyLimit')?.isAtLeast, 'a page of which nothing is left').toBe(true)
})

test('charges without an amount, a time or a kind are excluded and counted, and a missing limit is no "no limit"', () => {
  const at = '2026-11-20T01:00:00.000Z'
  const transactions = [
    charge(at, 7),
    { ...charge(at, 1), amount: null },
    { ...charge(at, 2), createdAt: null },
    charge(at, 4, { status: null }),
  ]
  const rows = limitUsage({ ...limits, dailyLimit: null }, { transactions, nextPageToken: null }, nowMs, false)
  expect(rows.find(({ name }) => name === 'dailyLimit')).toEqual({
    name: 'dailyLimit',
    label: 'Per day',
    limit: null,
    used: '7',
    isAtLeast: true,
    excluded: 3,
  })
  const unknownKind = limitUsage(
    limits,
    { transactions: [charge(at, 7, { intent: null })], nextPageToken: null },
    nowMs,
    false,
  )
  expect(unknownKind.find(({ name }) => name === 'dailyAtmLimit')).toMatchObject({ excluded: 1, isAtLeast: true })
  const unknownAmounts = limitUsage(
    limits,
    { transactions: transactions.slice(1, 2), nextPageToken: null },
    nowMs,
    false,
  )
  expect(unknownAmounts.find(({ name }) => name === 'dailyLimit')).toMatchObject({ used: null, excluded: 1 })
})

test('the pending charges of a card are of the kinds that count against its limits: purchases and cash', () => {
  expect(pendingFilters('c').intent).toEqual(['charge', 'withdraw'])
  expect(usageFilters('c', nowMs).intent).toEqual([...(pendingFilters('c').intent ?? []), 'refund'])
})

const online = { type: 'PURCHASE', cardPresent: false } as CardAccountTransaction['authorization']
const inShop = { type: 'PURCHASE', cardPresent: true } as CardAccountTransaction['authorization']

test('the built-in service counts charges online and in a shop over a day, and all of them over a month', () => {
  const transactions = [
    charge('2026-11-20T01:00:00.000Z', 30, { authorization: online }),
    charge('2026-11-20T00:00:00.000Z', 20, { authorization: inShop }),
    charge('2026-11-20T00:00:00.000Z', 9, { intent: 'refund' }),
    charge('2026-11-02T00:00:00.000Z', 5, { authorization: online }),
    charge('2026-10-31T00:00:00.000Z', 7),
  ]
  const rows = limitUsage(limits, { transactions, nextPageToken: null }, nowMs, true)
  expect(rows.map(({ label, used }) => [label, used])).toEqual([
    ['Per day', '50'],
    ['Purchases per day', '50'],
    ['Cash per day', '0'],
    ['Card present per day', '20'],
    ['Card not present per day', '30'],
    ['Card limit per month', '55'],
    ['Single transaction', null],
  ])
})

test('a purchase of a kind with less left than the largest charge is named with what is left for it', () => {
  const card = {
    ...limits,
    cardNotPresentLimit: 15_000,
    cardPresentLimit: 20_000,
    dailyPurchaseLimit: 20_000,
    dailyLimit: 20_000,
    availableLimit: 5601,
  }
  const at = '2026-11-20T01:00:00.000Z'
  const spent = charge(at, 14_399, { authorization: online })
  const of = (...transactions: CardAccountTransaction[]) =>
    smallerPurchases(card, { transactions, nextPageToken: null }, nowMs)
  expect(of(spent)).toEqual([{ label: 'Online', largest: '601', isAtLeast: false }])
  expect(of(charge('2026-11-20T02:00:01.000Z', 14_399, { authorization: online })), 'after the card was read').toEqual(
    of(spent),
  )
  expect(of({ ...spent, amount: 15_001 })[0]).toMatchObject({ label: 'Online', largest: '0' })
  expect(of(spent, charge(at, 100, { intent: 'refund' }))).toEqual([
    { label: 'Online', largest: '601', isAtLeast: true },
  ])
  expect(of({ ...spent, amount: 9399 }), 'as much as of any kind').toEqual([])
  expect(of(charge('2026-11-19T01:00:00.000Z', 14_399, { authorization: online })), 'the day before').toEqual([])
  expect(of({ ...spent, amount: null }), 'how much is left is not known').toEqual([])
  expect(smallerPurchases(card, { transactions: [spent], nextPageToken: 'more' }, nowMs), 'older ones unread').toEqual(
    [],
  )
})
