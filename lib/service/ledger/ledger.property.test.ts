import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disputeStatuses } from '#lib/contract/transactions.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { accountRow, openAccount, computeTrueFigures } from '../testing-accounts.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ seeded: 3 })
})

afterAll(() => service.close())

test('after any history over the interface every figure of the account record is correct', async () => {
  // From ten cents on, in either currency, since what rounds to nothing in the account's is refused.
  const cents = fc.integer({ min: 10, max: 30_000 }).map((whole) => whole / 100)
  const part = fc.option(fc.integer({ min: 1, max: 20_000 }).map((whole) => whole / 100))
  const step = fc.oneof(
    fc.record({ act: fc.constant('charge' as const), cents, currency: fc.constantFrom('HKD', 'USD', 'EUR') }),
    fc.record({ act: fc.constant('fee' as const), cents }),
    fc.record({ act: fc.constant('repay' as const) }),
    fc.record({ act: fc.constant('capture' as const) }),
    fc.record({ act: fc.constant('reverse' as const), place: fc.nat(9) }),
    fc.record({ act: fc.constant('captures' as const), place: fc.nat(9), cents: part }),
    fc.record({ act: fc.constant('reversals' as const), place: fc.nat(9), cents: part }),
    fc.record({ act: fc.constant('credit' as const), cents }),
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
        } else if (taken.act === 'captures' || taken.act === 'reversals') {
          const transactionId = transactions[taken.place]
          if (!transactionId) continue
          const body = { transactionId, ...(taken.cents !== null && { amount: taken.cents }) }
          expect([200, 400]).toContain((await service.control('POST', `/${taken.act}`, body)).status)
        } else if (taken.act === 'credit') {
          const credit = { cardAccountId: account.cardAccountId, intent: 'topup', amount: taken.cents }
          transactions.push((await service.control('POST', '/credits', credit)).json.id)
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
      const truth = await computeTrueFigures(service, account.cardAccountId)
      const balance = Number(truth?.balance)
      const roundCents = (value: number) => Math.round(value * 100) / 100
      expect(record).toMatchObject({
        balance,
        outstanding: balance < 0 ? -balance : 0,
        available: accountType === 'credit' ? roundCents(balance + record.limit) : balance,
        disputeAmount: Number(truth?.disputed),
      })
    }),
    { numRuns: cases(250), endOnFailure: true },
  )
})

test('concurrent waives of one fee move the balance once', async () => {
  const waives = cases(1000)
  // More at once would only wait for a connection, on a slow machine for longer than any is waited for.
  const atOnce = Math.min(250, waives)
  for (let done = 0; done < waives; done += atOnce) {
    const { cardAccountId } = await openAccount(service, { accountType: 'credit', currency: 'HKD', limit: 5000 })
    const charge = { cardAccountId, intent: 'late-payment-fee', amount: 120.5 }
    const { id } = (await service.control('POST', '/fees', charge)).json
    expect((await accountRow(service, cardAccountId)).balance).toBe('-120.50000000')
    const responses = await Promise.all(
      Array.from({ length: atOnce }, () => service.call('waiveFee', { body: { id } })),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = responses.filter(({ status, json }) => status === 400 && json.code === 'INVALID_PARAMETERS')
    expect(refused).toHaveLength(atOnce - 1)
    expect((await accountRow(service, cardAccountId)).balance).toBe('0.00000000')
  }
})
