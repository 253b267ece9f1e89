import { expect, test } from 'vitest'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { readingsDone } from '#lib/index/single-flight.ts'
import { indexTransactions } from '#lib/index/transactions.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { listCardAccounts } from './card-accounts/list.ts'
import { payoutIndex } from './payouts/index-payouts.ts'
import { openConsole } from './testing/open-console.ts'
import { listTransactions } from './transactions/list.ts'
import { readTrends } from './trends.ts'

test('trends count declines, spend and events of each of the last 30 days, the newest last', async () => {
  const desk = await openConsole({ seeded: 6 })
  await desk.signIn('operations')
  const { rows } = await listCardAccounts('sandbox', {})
  await readingsDone()
  const all = await Promise.all(
    rows.map(({ account }) => listTransactions('sandbox', account.id, { intent: 'charge' })),
  )
  const [charge] = all.flatMap(({ transactions }) => transactions)
  if (!charge) throw new Error('the seed has charges')
  const before = await readTrends('sandbox', {})
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const one = (id: string, more: Partial<CardAccountTransaction>) => ({ ...charge, id, currency: 'USD', ...more })
  await indexTransactions(
    desk.db,
    'sandbox',
    'account-1',
    [
      one('t-1', { createdAt: daysAgo(0), amount: 12.5, status: 'posted' }),
      one('t-2', { createdAt: daysAgo(0), amount: 7, status: 'pending' }),
      one('t-3', { createdAt: daysAgo(2), amount: 100, status: 'declined' }),
      one('t-4', { createdAt: daysAgo(2), amount: 40, status: 'void' }),
      one('t-5', { createdAt: daysAgo(40), amount: 5, status: 'posted' }),
      one('t-6', { createdAt: daysAgo(1), amount: 5, status: 'posted', currency: 'XTS' }),
    ],
    new Date(),
  )
  await desk.db.insert(inboxEvents).values({
    environment: 'sandbox',
    id: 'event-1',
    event: 'card.updated',
    body: '{}',
    isKnown: true,
    receivedAt: new Date(),
    nextAttemptAt: new Date(),
  })
  await payoutIndex.readAll('sandbox')
  Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
  const { days, declines, spend, events, sent } = await readTrends('sandbox', {})
  expect(days).toHaveLength(30)
  expect(days.toSorted()).toEqual(days)
  const added = (now: number | string | undefined, then: number | string | undefined) => Number(now) - Number(then)
  expect(added(spend.values[29], before.spend.values[29])).toBeCloseTo(19.5)
  expect(added(spend.values[27], before.spend.values[27])).toBe(0)
  expect(spend.unconverted.map((count, at) => count - (before.spend.unconverted[at] ?? 0)).slice(26)).toEqual([
    0, 0, 1, 0,
  ])
  expect(declines.map((count, at) => count - (before.declines[at] ?? 0)).slice(26)).toEqual([0, 1, 0, 0])
  expect(added(events?.[29], before.events?.[29])).toBe(1)
  expect([before.sent?.isComplete, sent?.isComplete]).toEqual([false, true])
})

test('the days are those of the reader’s time zone', async () => {
  const desk = await openConsole({ seeded: 2 })
  await desk.signIn('viewer')
  const dateIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format()
  // These two are a day apart at any moment.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Niue']) {
    const { days } = await readTrends('sandbox', { timeZone })
    expect(days.at(-1)).toBe(dateIn(timeZone))
    expect(new Set(days).size).toBe(30)
  }
  for (const timeZone of ['+08:00', 'Mars/Olympus', "UTC'; select 1"]) {
    await expect(readTrends('sandbox', { timeZone })).rejects.toThrow('timeZone must be a time zone')
  }
})
