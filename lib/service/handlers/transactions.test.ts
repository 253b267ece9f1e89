import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CardAccountTransaction } from '#lib/contract/transactions.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { cardAccountTransactions } from '../tables/transactions.ts'
import { addCard, addCardAccount } from '../testing-records.ts'
import { openTestService, type TestService } from '../testing.ts'
import { cardAccountTransactionList } from './transactions.ts'

type NewTransaction = typeof cardAccountTransactions.$inferInsert

let opened: TestService
let cardAccountId: string
let cardId: string
const start = Date.UTC(2026, 5, 1)

beforeAll(async () => {
  opened = await openTestService()
  ;({ cardAccountId, cardId } = await addCard(opened.service.db))
  await add(
    ['charge', 'refund', 'fee', 'charge', 'other'].map((intent, day) => ({
      intent: intent as NewTransaction['intent'],
      createdAt: new Date(start + day * 86_400_000),
      xid: `xid ${day}`,
      ...(day === 0 ? { cardId } : {}),
      ...(day === 3 ? { status: 'pending' as const, postedAt: null } : {}),
    })),
  )
  await add([{ cardAccountId: await addCardAccount(opened.service.db) }])
})
afterAll(() => opened.close())

async function add(given: Partial<NewTransaction>[]): Promise<void> {
  await opened.service.db.insert(cardAccountTransactions).values(
    given.map((each) => ({
      id: randomUUID(),
      refId: 'REF',
      cardAccountId,
      createdAt: new Date(start),
      status: 'posted' as const,
      postedAt: new Date(start),
      intent: 'charge' as const,
      currency: 'HKD',
      amount: '12.34',
      entryType: 'CREDIT' as const,
      description: 'Test',
      grossAmount: '12.34',
      ...each,
    })),
  )
}

async function xids(query: Record<string, string | string[]>): Promise<(string | null)[]> {
  const { json } = await opened.call('listCardAccountTransactions', { query: { cardAccountId, ...query } })
  return json.transactions.map((each: CardAccountTransaction) => each.xid)
}

test('lists the transactions of one account, newest first', async () => {
  expect(await xids({})).toEqual(['xid 4', 'xid 3', 'xid 2', 'xid 1', 'xid 0'])
})

test.each([
  [{ cardId: 'own' }, ['xid 0']],
  [{ status: 'pending' }, ['xid 3']],
  [{ status: 'declined' }, []],
  [{ xid: 'xid 2' }, ['xid 2']],
  [{ intent: 'fee' }, ['xid 2']],
  [{ intent: ['fee', 'other'] }, ['xid 4', 'xid 2']],
  [{ intent: 'fee,charge' }, ['xid 3', 'xid 2', 'xid 0']],
  [{ intent: 'charge', status: 'posted' }, ['xid 0']],
  [{ dateRangeFrom: '2026-06-02T00:00:00Z', dateRangeTo: '2026-06-04T00:00:00Z' }, ['xid 3', 'xid 2', 'xid 1']],
  [{ dateRangeFrom: '2026-06-02T08:00:00.001+08:00' }, ['xid 4', 'xid 3', 'xid 2']],
  [{ dateRangeTo: '2026-05-31T23:59:59.999Z' }, []],
])('filters by %j', async (query: Record<string, string | string[]>, expected) => {
  expect(await xids('cardId' in query ? { cardId } : query)).toEqual(expected)
})

test('keeps the filter over pages', async () => {
  const first = await opened.call('listCardAccountTransactions', {
    query: { cardAccountId, intent: ['charge', 'refund'], pageSize: '2' },
  })
  expect(first.json.transactions).toHaveLength(2)
  const query = { cardAccountId, intent: ['charge', 'refund'], pageSize: '2', pageToken: first.json.nextPageToken }
  expect((await opened.call('listCardAccountTransactions', { query })).json).toMatchObject({
    transactions: [{ xid: 'xid 0' }],
    nextPageToken: null,
    prevPageToken: expect.any(String),
  })
})

test('refuses an unknown account, and a range that ends before it starts', async () => {
  expect(await opened.call('listCardAccountTransactions', { query: { cardAccountId: randomUUID() } })).toMatchObject({
    status: 404,
    json: { code: 'CARD_ACCOUNT_NOT_FOUND' },
  })
  const backwards = { dateRangeFrom: '2026-06-02T00:00:00Z', dateRangeTo: '2026-06-01T00:00:00Z' }
  expect(await opened.call('listCardAccountTransactions', { query: { cardAccountId, ...backwards } })).toMatchObject({
    status: 400,
    json: { code: 'INVALID_PARAMETERS', message: expect.stringContaining('dateRangeFrom') },
  })
})

test('PostgreSQL reads a page from the index of its list, at any depth and in both directions', async () => {
  await inTransaction(opened.service.db, async (tx) => {
    const context = { db: tx, pageTokenKey: randomBytes(32) }
    const pageOf = (pageToken: string | null) =>
      cardAccountTransactionList.read(context, { cardAccountId, pageSize: 2, ...(pageToken ? { pageToken } : {}) })
    const { nextPageToken } = await pageOf(null)
    const { prevPageToken } = await pageOf(nextPageToken)
    await pageOf(prevPageToken)
    const { rows: statements } = await tx.execute<{ name: string }>(sql`select name from pg_prepared_statements
      where parameter_types = '{uuid,timestamptz,uuid,bigint}' and statement ~ 'card_account_transactions'`)
    expect(statements).toHaveLength(2)
    for (const { name } of statements) {
      const values = `'${cardAccountId}', '${new Date(start).toISOString()}', '${randomUUID()}', 3`
      const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(sql.raw(`explain execute ${name} (${values})`))
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(/Index Scan (Backward )?using card_account_transactions_newest/)
      expect(plan).toMatch(/Index Cond: .*ROW\(created_at, id\) [<>]/)
      expect(plan).not.toContain('Sort')
    }
  })
})
