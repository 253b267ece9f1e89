import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disputeStatuses } from '#lib/contract/transactions.ts'
import { openTestService, type TestService } from './testing.ts'
import { accountRow, openAccount } from './testing-accounts.ts'
import { cardAccountTransactions } from './tables/transactions.ts'
import { events } from './tables/webhooks.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ seeded: 3 })
})

afterAll(() => service.close())

async function truthOf(cardAccountId: string) {
  const { rows } = await service.service.db.execute<{ balance: string; disputed: string }>(sql`
    select a.opening_balance + coalesce(sum(case entry_type when 'DEBIT' then amount else -amount end)
             filter (where status in ('pending', 'posted')), 0) as balance,
           coalesce(sum(amount) filter (where dispute_status in ('requested', 'pending')), 0) as disputed
      from service.card_accounts a left join service.card_account_transactions t on t.card_account_id = a.id
     where a.id = ${cardAccountId} group by a.id`)
  return rows[0]
}

test(
  '250 histories over the interface keep every figure of the account record true',
  { timeout: 120_000 },
  async () => {
    const cents = fc.integer({ min: 1, max: 30_000 }).map((whole) => whole / 100)
    const step = fc.oneof(
      fc.record({ act: fc.constant('charge' as const), cents, currency: fc.constantFrom('HKD', 'USD', 'EUR') }),
      fc.record({ act: fc.constant('fee' as const), cents }),
      fc.record({ act: fc.constant('repay' as const) }),
      fc.record({ act: fc.constant('capture' as const) }),
      fc.record({ act: fc.constant('reverse' as const), place: fc.nat(9) }),
      fc.record({ act: fc.constant('waive' as const), place: fc.nat(3) }),
      fc.record({
        act: fc.constant('dispute' as const),
        place: fc.nat(9),
        status: fc.constantFrom(...disputeStatuses, null),
      }),
      fc.record({ act: fc.constant('limit' as const), cents }),
    )
    const history = fc.record({
      accountType: fc.constantFrom('credit' as const, 'credit' as const, 'prepaid' as const),
      currency: fc.constantFrom('HKD', 'USD'),
      steps: fc.array(step, { minLength: 4, maxLength: 12, size: 'max' }),
    })
    let captures = 0
    await fc.assert(
      fc.asyncProperty(history, async ({ accountType, currency, steps }) => {
        const account = await openAccount(service, { accountType, currency, limit: accountType === 'credit' ? 900 : 0 })
        const transactions: string[] = []
        const fees: string[] = []
        for (const taken of steps) {
          if (taken.act === 'charge') {
            const body = { ...account, amount: taken.cents, currency: taken.currency }
            const { status, json } = await service.call('simulateAuthorization', { body })
            expect(status).toBe(200)
            transactions.push(json.cardTransactionId)
          } else if (taken.act === 'fee') {
            const fee = { cardAccountId: account.cardAccountId, intent: 'late-payment-fee', amount: taken.cents }
            const { json } = await service.control('POST', '/fees', fee)
            fees.push(json.id)
            transactions.push(json.transaction.id)
          } else if (taken.act === 'repay') {
            await service.call('simulateRepay', { body: { cardAccountIds: [account.cardAccountId] } })
          } else if (taken.act === 'reverse') {
            const cardTransactionId = transactions[taken.place]
            if (!cardTransactionId) continue
            const body = { cardAccountId: account.cardAccountId, cardTransactionId }
            expect([200, 400]).toContain((await service.call('simulateFullReversal', { body })).status)
          } else if (taken.act === 'waive') {
            const id = fees[taken.place]
            if (id) expect([200, 400]).toContain((await service.call('waiveFee', { body: { id } })).status)
          } else if (taken.act === 'dispute') {
            const transactionId = transactions[taken.place]
            if (transactionId) await service.control('POST', '/disputes', { transactionId, status: taken.status })
          } else if (taken.act === 'limit') {
            const body = { cardAccountId: account.cardAccountId, limit: taken.cents }
            await service.call('setFixedLimit', { body })
          } else if (captures < 40) {
            captures += 1
            await service.control('POST', '/clock', { advance: 'PT24H' })
          }
        }
        const query = { cardAccountId: account.cardAccountId }
        const record = (await service.call('listCardAccounts', { query })).json.cardaccounts[0]
        const truth = await truthOf(account.cardAccountId)
        const balance = Number(truth?.balance)
        const roundCents = (value: number) => Math.round(value * 100) / 100
        expect(record).toMatchObject({
          balance,
          outstanding: balance < 0 ? -balance : 0,
          available: accountType === 'credit' ? roundCents(balance + record.limit) : balance,
          disputeAmount: Number(truth?.disputed),
        })
      }),
      { numRuns: 250, endOnFailure: true },
    )
  },
)

test('1,000 concurrent waives of one fee move the balance once', { timeout: 120_000 }, async () => {
  const { cardAccountId } = await openAccount(service, { accountType: 'credit', currency: 'HKD', limit: 5000 })
  const charge = { cardAccountId, intent: 'late-payment-fee', amount: 120.5 }
  const { id } = (await service.control('POST', '/fees', charge)).json
  expect((await accountRow(service, cardAccountId)).balance).toBe('-120.50000000')
  const answers = await Promise.all(Array.from({ length: 1000 }, () => service.call('waiveFee', { body: { id } })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status, json }) => status === 400 && json.code === 'INVALID_PARAMETERS')).toHaveLength(999)
  expect((await accountRow(service, cardAccountId)).balance).toBe('0.00000000')
})

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
    for (const id of ids) expect((await accountRow(service, id)).balance).toBe((await truthOf(id))?.balance)
  },
)

test('a charge is captured after 24 hours, not before, and says so in an event', async () => {
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
