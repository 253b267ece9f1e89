import { expect, test } from 'vitest'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { unboundCardLimit } from '#lib/contract/terms.ts'
import { boundLimits, cardDayStart, limitUsage, pendingFilters, usageFilters } from './card-usage.ts'

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
  const rows = limitUsage(limits, read, nowMs).filter(({ used }) => used === null)
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
    limitUsage(limits, { transactions, nextPageToken: null }, nowMs).map((row) => [row.name, row.used]),
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
  const rows = limitUsage({ ...unbound, dailyAtmLimit: 300 }, read, nowMs)
  expect(rows.map(({ name, limit }) => [name, limit]).filter(([, limit]) => limit !== 'none')).toEqual([
    ['dailyAtmLimit', 300],
  ])
  expect(rows.find(({ name }) => name === 'dailyLimit')).toMatchObject({ limit: 'none', used: '7' })
})

test('a part of the day is never passed off as the day', () => {
  const isAtLeast = (createdAt: string) => {
    const rows = limitUsage(limits, { transactions: [charge(createdAt, 1)], nextPageToken: 'more' }, nowMs)
    return rows.find(({ name }) => name === 'dailyLimit')?.isAtLeast
  }
  expect(isAtLeast('2026-11-20T01:00:00.000Z')).toBe(true)
  expect(isAtLeast('2026-11-19T01:00:00.000Z')).toBe(false)
  const nothing = limitUsage(limits, { transactions: [], nextPageToken: 'more' }, nowMs)
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
  const rows = limitUsage({ ...limits, dailyLimit: null }, { transactions, nextPageToken: null }, nowMs)
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
  )
  expect(unknownKind.find(({ name }) => name === 'dailyAtmLimit')).toMatchObject({ excluded: 1, isAtLeast: true })
  const unknownAmounts = limitUsage(limits, { transactions: transactions.slice(1, 2), nextPageToken: null }, nowMs)
  expect(unknownAmounts.find(({ name }) => name === 'dailyLimit')).toMatchObject({ used: null, excluded: 1 })
})

test('the pending charges of a card are of the kinds that count against its limits: purchases and cash', () => {
  expect(pendingFilters('c').intent).toEqual(['charge', 'withdraw'])
  expect(usageFilters('c', nowMs).intent).toEqual(pendingFilters('c').intent)
})
