import { randomUUID } from 'node:crypto'
import { eq, isNotNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { mapCardLimits } from '#lib/contract/charge-rule.ts'
import { toCardAccount } from '#lib/index/account-record.ts'
import { accountIndex } from '#lib/index/accounts-sync.ts'
import { readCards } from '#lib/index/cards-sync.ts'
import { indexAccounts } from '#lib/index/index-accounts.ts'
import { indexSomeTransactions } from '#lib/index/transactions-sync.ts'
import { indexTransactions } from '#lib/index/transactions.ts'
import { cardAccounts as serviceAccounts } from '#lib/service/tables/card-accounts.ts'
import { cards as serviceCards } from '#lib/service/tables/cards.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { indexedTransactions, transactionProgress } from '#lib/tables/transactions.ts'
import { setPolicy } from '../testing/approvals.ts'
import { cardIn } from '../testing/cards.ts'
import { shareConsole } from '../testing/open-console.ts'
import { fetchTransaction } from '../transactions/detail.ts'
import { type CardSearch, listProgramCards } from './list-program-cards.ts'

const desk = shareConsole({ seeded: 30 })

async function indexed() {
  await desk.signIn('operations')
  await accountIndex.readAll('sandbox')
  for (const { id } of await desk.db.select({ id: indexedAccounts.id }).from(indexedAccounts))
    await readCards('sandbox', id)
  await indexSomeTransactions('sandbox')
  Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
}

test('the list has every card of the program, by status, product, expiry and text', async () => {
  await indexed()
  const truth = await desk.service.service.db.select().from(serviceCards)
  const all = await listProgramCards('sandbox', { pageSize: '100' })
  expect(all.matching).toBe(truth.length)
  expect(all.choices.statuses.toSorted()).toEqual([...new Set(truth.map(({ status }) => status))].toSorted())
  const locked = await listProgramCards('sandbox', { status: 'locked' })
  expect(locked.matching).toBe(truth.filter(({ status }) => status === 'locked').length)
  const [card] = truth
  if (!card) throw new Error('the seed has cards')
  const found = await listProgramCards('sandbox', { q: `${card.embossedName.split(' ')[0]} ${card.last4}` })
  expect(found.cards.map(({ id }) => id)).toContain(card.id)
  const until = `${card.expiryYear}-${String(card.expiryMonth).padStart(2, '0')}`
  const expiring = await listProgramCards('sandbox', { expiresTo: until })
  const number = card.expiryYear * 100 + card.expiryMonth
  expect(expiring.matching).toBe(
    truth.filter(({ expiryYear, expiryMonth }) => expiryYear * 100 + expiryMonth <= number).length,
  )
  const products = await listProgramCards('sandbox', { product: all.choices.products[0] ?? '' })
  expect(products.matching).toBeGreaterThan(0)
  expect(products.matching).toBeLessThan(truth.length)
})

test('four digits find the cards that end in them, not those whose id holds them', async () => {
  await indexed()
  const [one, other] = await desk.db.select().from(indexedCards).orderBy(indexedCards.id)
  if (!one || !other) throw new Error('the seed has cards')
  const digits = [...'0123456789'].map((digit) => digit.repeat(4)).find((four) => !one.searchText?.includes(four)) ?? ''
  const change = ({ id }: { id: string }, record: object) =>
    desk.db
      .update(indexedCards)
      .set({ record: sql`record || ${JSON.stringify(record)}::jsonb` })
      .where(eq(indexedCards.id, id))
  await change(other, { xid: `0000${digits}-0000-4000-8000-000000000000` })
  await change(one, { xid: `order ${digits}` })
  const { cards } = await listProgramCards('sandbox', { q: digits, pageSize: '100' })
  expect(cards.map(({ id }) => id)).toContain(one.id)
  expect(cards.map(({ id }) => id)).not.toContain(other.id)
})

test('a card whose cancellation waits for an approval is marked', async () => {
  await indexed()
  await setPolicy(desk, [{ topic: 'cancellations', when: 'always' }])
  await desk.signIn('operations')
  const { target, last4 } = await cardIn(desk, 'active')
  const input = { ...target, operationId: randomUUID(), reason: 'suspected-fraud' as const, confirmLast4: last4 ?? '' }
  expect(await runAction('card.cancel', input)).toMatchObject({ operation: { outcome: { state: 'waiting' } } })
  const { cards } = await listProgramCards('sandbox', { pageSize: '100' })
  expect(cards.filter((card) => card.isCancellationWaiting).map(({ id }) => id)).toEqual([target.cardId])
})

test('a card is listed with its newest transaction, and an unused one is found as such', async () => {
  await indexed()
  const { cards } = await listProgramCards('sandbox', { pageSize: '100' })
  const used = cards.filter(({ lastUsedAt }) => lastUsedAt !== null)
  expect(used.length).toBeGreaterThan(0)
  const newest =
    used
      .map(({ lastUsedAt }) => lastUsedAt ?? '')
      .toSorted()
      .at(-1) ?? ''
  const unused = await listProgramCards('sandbox', { unusedSince: newest, pageSize: '100' })
  const usedThen = cards.filter(({ lastUsedAt }) => lastUsedAt !== null && lastUsedAt >= newest)
  expect(unused.matching).toBe(cards.length - usedThen.length)
  expect(cards.every(({ isUseKnown }) => isUseKnown)).toBe(true)
})

test('a card whose transactions were not read is none that was never used', async () => {
  await indexed()
  await desk.db.update(transactionProgress).set({ isWhole: false })
  await desk.db.update(indexedCards).set({ lastUsedAt: null })
  const { cards } = await listProgramCards('sandbox', { pageSize: '100' })
  expect(cards.some(({ isUseKnown }) => isUseKnown)).toBe(false)
  expect(await listProgramCards('sandbox', { unusedSince: new Date().toISOString() })).toMatchObject({
    matching: 0,
    transactions: { isComplete: false },
  })
})

test('the cards used at a merchant in a range are found, without those that were declined there then', async () => {
  await indexed()
  const rows = await desk.db.select().from(indexedTransactions).where(isNotNull(indexedTransactions.merchantName))
  const declined = rows.find(({ status, cardId }) => status === 'declined' && cardId !== null)
  const merchant = declined?.merchantName ?? ''
  const there = rows.filter((row) => row.merchantName === merchant && row.cardId !== null)
  // Another card that was used there, and one that was used there at another time.
  const others = rows.filter((row) => row.cardId !== null && !there.some(({ cardId }) => cardId === row.cardId))
  const [used, before] = [...new Map(others.map((row) => [row.cardId, row])).values()]
  if (!declined?.createdAt || !used || !before) throw new Error('the seed has a declined charge and other cards')
  const at = declined.createdAt.getTime()
  await moveTo(used.id, merchant, at - 3_600_000, 'posted')
  await moveTo(before.id, merchant, at - 3 * 86_400_000, 'posted')
  const range = {
    usedAt: merchant.toUpperCase(),
    dateRangeFrom: new Date(at - 86_400_000).toISOString(),
    dateRangeTo: new Date(at + 86_400_000).toISOString(),
    pageSize: '100',
  }
  const found = await listProgramCards('sandbox', range)
  const ids = found.cards.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining([declined.cardId, used.cardId]))
  expect(ids).not.toContain(before.cardId)
  expect(found.transactions).toMatchObject({ isComplete: expect.any(Boolean) })
  const notHit = await listProgramCards('sandbox', { ...range, declinedThere: 'no' })
  expect(notHit.cards.map(({ id }) => id)).toContain(used.cardId)
  expect(notHit.cards.map(({ id }) => id)).not.toContain(declined.cardId)
  expect(notHit.matching).toBe(notHit.cards.length)
  const earlier = await listProgramCards('sandbox', { usedAt: merchant, declinedThere: 'no', pageSize: '100' })
  expect(earlier.cards.map(({ id }) => id)).toContain(before.cardId)
  expect((await listProgramCards('sandbox', {})).transactions).toBeNull()
})

async function moveTo(id: string, merchantName: string, atMs: number, status: string): Promise<void> {
  await desk.db
    .update(indexedTransactions)
    .set({ merchantName, status, createdAt: new Date(atMs), searchText: merchantName.toLowerCase() })
    .where(eq(indexedTransactions.id, id))
}

test('cards are sorted by their newest transaction, those that were never used last, and a later charge is first', async () => {
  await indexed()
  const byUse = async () => (await listProgramCards('sandbox', { sort: 'used', pageSize: '100' })).cards
  const before = await byUse()
  const times = before.map(({ lastUsedAt }) => lastUsedAt ?? '')
  expect(times).toEqual(times.toSorted().toReversed())
  expect(times).toContain('')
  const [row] = await desk.db.select().from(indexedTransactions).where(isNotNull(indexedTransactions.cardId))
  const last = before.findLast(({ status }) => status === 'active')
  if (!row || !last) throw new Error('the seed has a charge and an active card')
  const { transaction: record } = await fetchTransaction('sandbox', row.cardAccountId, row.id)
  const charge = { ...record, id: randomUUID(), cardId: last.id, createdAt: '2090-01-01T00:00:00.000Z' }
  await indexTransactions(desk.db, 'sandbox', last.cardAccountId, [charge], new Date())
  expect((await byUse())[0]).toMatchObject({ id: last.id, lastUsedAt: charge.createdAt })
  // The service does not have it: a whole reading of its account takes it away again.
  await desk.db.delete(transactionProgress).where(eq(transactionProgress.cardAccountId, last.cardAccountId))
  await desk.db
    .update(indexedAccounts)
    .set({ transactionsReadAt: null })
    .where(eq(indexedAccounts.id, last.cardAccountId))
  await indexSomeTransactions('sandbox')
  expect((await byUse()).find(({ id }) => id === last.id)?.lastUsedAt).toBe(last.lastUsedAt)
})

test('cards are sorted by the share of their limit that is used, and cancelled ones have none', async () => {
  await indexed()
  const { cards } = await listProgramCards('sandbox', { sort: 'limitUse', pageSize: '100' })
  const shares = cards.flatMap(({ limitUse }) => (limitUse === null ? [] : Number(limitUse)))
  expect(shares.length).toBeGreaterThan(5)
  expect(shares).toEqual(shares.toSorted((one, other) => other - one))
  expect(cards.slice(0, shares.length).every(({ limitUse }) => limitUse !== null)).toBe(true)
  expect(cards.filter(({ status, limitUse }) => status === 'cancelled' && limitUse !== null)).toEqual([])
  const near = await listProgramCards('sandbox', { limit: 'near', pageSize: '100' })
  expect(near.matching).toBe(shares.filter((share) => share > 0.9).length)
})

test('pages of every sort have each card once, also of cards not used for long and of a text', async () => {
  await indexed()
  const used = (await listProgramCards('sandbox', { sort: 'used', pageSize: '100' })).cards.flatMap(
    ({ lastUsedAt }) => lastUsedAt ?? [],
  )
  await expectEachOnce({})
  await expectEachOnce({ unusedSince: used[Math.floor(used.length / 2)] })
  await expectEachOnce({ q: 'a' })
})

async function expectEachOnce(search: CardSearch): Promise<void> {
  const { matching } = await listProgramCards('sandbox', search)
  expect(matching).toBeGreaterThan(10)
  for (const sort of ['issued', 'expires', 'name', 'last4', 'used', 'limitUse'] as const) {
    const ids: string[] = []
    let pageToken: string | null = null
    do {
      const page: Awaited<ReturnType<typeof listProgramCards>> = await listProgramCards('sandbox', {
        ...search,
        sort,
        pageSize: '20',
        ...(pageToken && { pageToken }),
      })
      ids.push(...page.cards.map(({ id }) => id))
      pageToken = page.nextPageToken
    } while (pageToken)
    expect(new Set(ids).size).toBe(matching)
    expect(ids).toHaveLength(matching)
  }
}

test('limits that are nearly used are those that leave less than a tenth of what the card allows in one charge', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const own = eq(serviceCards.id, target.cardId)
  const near = async () => {
    await readCards('sandbox', target.cardAccountId)
    Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
    const { cards } = await listProgramCards('sandbox', { limit: 'near', pageSize: '100' })
    return cards.some(({ id }) => id === target.cardId)
  }
  const unbound = mapCardLimits(() => '999999999999999')
  const account = eq(serviceAccounts.id, target.cardAccountId)
  const { db } = desk.service.service
  await db.update(serviceAccounts).set({ accountType: 'credit', balance: '0', limit: '5000' }).where(account)
  await accountIndex.readAll('sandbox')
  await db.update(serviceCards).set(unbound).where(own)
  // No limit of its own: the account's counts.
  expect(await near()).toBe(false)
  await db.update(serviceAccounts).set({ balance: '-4600' }).where(account)
  expect(await near()).toBe(true)
  await db.update(serviceAccounts).set({ balance: '0' }).where(account)
  // A single transaction limit far below the month's is no use of it.
  await db.update(serviceCards).set({ cardLimit: '200000', singleTransactionLimit: '100' }).where(own)
  expect(await near()).toBe(false)
  await db.update(serviceAccounts).set({ balance: '-4991' }).where(account)
  expect(await near()).toBe(true)
  await db.update(serviceCards).set(unbound).where(own)
  expect(await near()).toBe(true)
  // The account's limit alone changes, and its cards are not read again.
  const [listed] = await desk.db.select().from(indexedAccounts).where(eq(indexedAccounts.id, target.cardAccountId))
  if (!listed) throw new Error('the account is in the index')
  await indexAccounts(desk.db, 'sandbox', [{ ...toCardAccount(listed), limit: 10 }], new Date())
  const use = await desk.db
    .select({ use: indexedCards.limitUse })
    .from(indexedCards)
    .where(eq(indexedCards.id, target.cardId))
  expect(Number(use[0]?.use)).toBeCloseTo(0.1)
})
