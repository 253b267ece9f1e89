import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardAccountTransactions } from '../tables/transactions.ts'
import { events } from '../tables/webhooks.ts'
import { accountRow, openAccount, computeTrueFigures } from '../testing-accounts.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ seeded: 3 })
})

afterAll(() => service.close())

test('concurrent charges never take more than there is', { timeout: 60_000 }, async () => {
  const account = await openAccount(service, { accountType: 'credit', currency: 'HKD', limit: 100 })
  const body = { ...account, amount: 7, currency: 'HKD' }
  await Promise.all(Array.from({ length: 60 }, () => service.call('simulateAuthorization', { body })))
  const statuses = await service.service.db
    .select({ status: cardAccountTransactions.status, count: sql<number>`count(*)::int` })
    .from(cardAccountTransactions)
    .where(eq(cardAccountTransactions.cardAccountId, account.cardAccountId))
    .groupBy(cardAccountTransactions.status)
  expect(Object.fromEntries(statuses.map(({ status, count }) => [status, count]))).toEqual({
    pending: 14,
    declined: 46,
  })
  expect((await accountRow(service, account.cardAccountId)).balance).toBe('-98.00000000')
})

test(
  'concurrent reversals, waives and repayments of crossing accounts all end, and end true',
  { timeout: 60_000 },
  async () => {
    const accounts = await Promise.all(
      Array.from({ length: 6 }, () => openAccount(service, { accountType: 'credit', currency: 'USD', limit: 1000 })),
    )
    const ids = accounts.map(({ cardAccountId }) => cardAccountId)
    await Promise.all(
      accounts.flatMap((account, index) => [
        service.call('simulateAuthorization', { body: { ...account, amount: 10 + index, currency: 'USD' } }),
        service.call('simulateRepay', { body: { cardAccountIds: ids } }),
        service.call('simulateRepay', { body: { cardAccountIds: ids.toReversed() } }),
        service.call('setFixedLimit', { body: ids.map((cardAccountId) => ({ cardAccountId, limit: 500 + index })) }),
      ]),
    )
    for (const id of ids)
      expect((await accountRow(service, id)).balance).toBe((await computeTrueFigures(service, id))?.balance)
  },
)

test('a charge is captured after 24 hours, not before, with an event', async () => {
  const account = await openAccount(service, { accountType: 'credit', currency: 'HKD', limit: 1000 })
  const body = { ...account, amount: 99.9, currency: 'HKD' }
  const { cardTransactionId } = (await service.call('simulateAuthorization', { body })).json
  const read = async () => {
    const query = { cardAccountId: account.cardAccountId, transactionId: cardTransactionId }
    return (await service.call('listCardAccountTransactions', { query })).json.transactions[0]
  }
  await service.control('POST', '/clock', { advance: 'PT23H59M' })
  expect(await read()).toMatchObject({ status: 'pending', postedAt: null })
  await service.control('POST', '/clock', { advance: 'PT1M' })
  const captured = await read()
  expect(captured).toMatchObject({ status: 'posted', amount: 99.9 })
  expect(Date.parse(captured.postedAt) - Date.parse(captured.createdAt)).toBe(24 * 3600 * 1000)
  expect(await eventsOf(cardTransactionId)).toEqual([
    ['cardaccount.transaction.created', 'pending'],
    ['cardaccount.transaction.updated', 'posted'],
  ])
})

test('a refused request leaves no trace: no entry, no event, no balance', async () => {
  const { cardAccountId } = await openAccount(service, { accountType: 'prepaid', limit: 0 })
  const before = await service.service.db.$count(events)
  const fee = { cardAccountId, intent: 'late-payment-fee', amount: 999_999_999_999 }
  expect((await service.control('POST', '/fees', fee)).status).toBe(200)
  const more = await service.control('POST', '/fees', { ...fee, amount: 1_234.56 })
  expect(more).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  expect((await accountRow(service, cardAccountId)).balance).toBe('-999999999999.00000000')
  expect(await service.service.db.$count(events)).toBe(before + 2)
})

async function eventsOf(transactionId: string) {
  const rows = await service.service.db
    .select({ event: events.event, status: sql<string>`${events.data} ->> 'status'` })
    .from(events)
    .where(sql`${events.data} ->> 'id' = ${transactionId}`)
    .orderBy(events.position)
  return rows.map(({ event, status }) => [event, status])
}
