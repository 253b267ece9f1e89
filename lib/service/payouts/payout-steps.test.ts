import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { amount, sum } from '#lib/shared/money.ts'
import { accounts, accountTransactions, payouts } from '../tables/payouts.ts'
import { testService, type TestService } from '../testing.ts'
import { payoutEnd } from './payout-steps.ts'

/** Balance = what is posted, and that after the last posting; available = that, less what pending entries hold. */
async function expectTrueBalances({ service: { db } }: TestService): Promise<void> {
  const all = await db.select().from(accounts)
  expect(all.length).toBeGreaterThan(0)
  for (const account of all) {
    const entries = await db.select().from(accountTransactions).where(eq(accountTransactions.accountId, account.id))
    const posted = sum(entries.filter(({ status }) => status === 'posted').map((entry) => entry.amount))
    const held = entries.filter(({ status, amount: moved }) => status === 'pending' && amount(moved).isNegative())
    expect(amount(account.balance).toString()).toBe(posted.toString())
    expect(amount(account.available).toString()).toBe(posted.plus(sum(held.map((entry) => entry.amount))).toString())
    expect(entries.filter(({ status, balance }) => (status === 'posted') !== (balance !== null))).toEqual([])
    const last = entries.filter(({ status }) => status === 'posted').toSorted((one, other) => +other.time - +one.time)
    expect(amount(last[0]?.balance ?? 0).toString()).toBe(amount(account.balance).toString())
    expect(new Set(last.map(({ time }) => +time)).size).toBe(last.length)
  }
}

test('the payouts of the seed come to their end with time, the funding accounts stay true and no entry moves in the ledger', async () => {
  const service = await testService({ seeded: 10 })
  const { db } = service.service
  await expectTrueBalances(service)
  const before = await db.select().from(payouts)
  const entries = await db.select().from(accountTransactions)
  const inFlight = before.filter(({ status }) => status === 'requested' || status === 'processing')
  expect(inFlight.length).toBeGreaterThan(0)

  await service.control('POST', '/clock', { advance: 'P10D' })
  const after = new Map((await db.select().from(payouts)).map((payout) => [payout.id, payout]))
  for (const { id, status, destination } of before) {
    const isInFlight = inFlight.some((payout) => payout.id === id)
    expect(after.get(id)?.status).toBe(isInFlight ? payoutEnd(String(destination.accountNumber)) : status)
  }
  await expectTrueBalances(service)
  expect(await db.select().from(accountTransactions)).toEqual(expect.arrayContaining(entries))
  const { rows } = await service.service.db.execute(`select kind from service.due_work where kind = 'advance-payout'`)
  expect(rows).toEqual([])
})

test('the last four digits of the account number choose the end', () => {
  expect(['00129001', '9002', '62220000009003', '1234', '', 'constructor'].map(payoutEnd)).toEqual([
    'cancelled',
    'failed',
    'held',
    'completed',
    'completed',
    'completed',
  ])
})
