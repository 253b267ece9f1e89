import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cards } from '../tables/cards.ts'
import { dueWork } from '../tables/runtime.ts'
import {
  accountRecord,
  eventsSince,
  lastEvent,
  openAccount,
  transactionRecord,
  computeTrueFigures,
  unknownId,
} from '../testing-accounts.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ seeded: 1 })
})
afterAll(() => service.close())

const post = (path: string, body: unknown) => service.control('POST', path, body)

async function charged(amount = 100) {
  const account = await openAccount(service)
  const charge = await post('/charges', { ...account, amount, currency: 'HKD' })
  expect(charge.status, charge.text).toBe(200)
  return { ...account, transactionId: charge.json.id as string }
}

async function expectBalance(cardAccountId: string, balance: number): Promise<void> {
  expect((await accountRecord(service, cardAccountId)).balance).toBe(balance)
  expect(Number((await computeTrueFigures(service, cardAccountId))?.balance)).toBe(balance)
}

describe('credits', () => {
  test('a top-up lets a new prepaid account be charged', async () => {
    const account = await openAccount(service, { accountType: 'prepaid', limit: 0 })
    const charge = { ...account, amount: 40, currency: 'HKD' }
    expect((await post('/charges', charge)).json).toMatchObject({
      status: 'declined',
      authorization: { responseCode: '51' },
    })
    const since = await lastEvent(service)
    const { json } = await post('/credits', { cardAccountId: account.cardAccountId, intent: 'topup', amount: 50.25 })
    expect(json).toEqual(await transactionRecord(service, account.cardAccountId, json.id))
    expect(json).toMatchObject({ status: 'posted', intent: 'topup', entryType: 'DEBIT', amount: 50.25, cardId: null })
    expect(await eventsSince(service, since)).toMatchObject([
      { event: 'cardaccount.transaction.created', data: json },
      { event: 'cardaccount.balance', data: { balance: 50.25 } },
    ])
    expect((await post('/charges', charge)).json.status).toBe('pending')
    await expectBalance(account.cardAccountId, 10.25)
  })

  test.each(['topup', 'cashback', 'transfer', 'interest', 'refund', 'repay', 'other'])(
    '%s adds to the balance, and with entryType CREDIT subtracts',
    async (intent) => {
      const { cardAccountId } = await openAccount(service)
      await post('/credits', { cardAccountId, intent, amount: 30, description: 'By hand' })
      await expectBalance(cardAccountId, 30)
      const { json } = await post('/credits', { cardAccountId, intent, amount: 10, entryType: 'CREDIT' })
      expect(json).toMatchObject({ intent, entryType: 'CREDIT' })
      await expectBalance(cardAccountId, 20)
    },
  )

  test('a withdrawal subtracts, and a pending credit is posted by its capture', async () => {
    const { cardAccountId } = await openAccount(service)
    await post('/credits', { cardAccountId, intent: 'withdraw', amount: 5 })
    await expectBalance(cardAccountId, -5)
    const { json } = await post('/credits', { cardAccountId, intent: 'transfer', amount: 5, status: 'pending' })
    expect(json).toMatchObject({ status: 'pending', postedAt: null })
    expect((await post('/captures', { transactionId: json.id })).json.status).toBe('posted')
    await expectBalance(cardAccountId, 0)
  })

  test.each([
    [{ cardAccountId: unknownId }, 404, 'CARD_ACCOUNT_NOT_FOUND'],
    [{ cardAccountId: 'x' }, 400, 'cardAccountId: must be a UUID'],
    [{ intent: 'charge' }, 400, 'intent: must be one of topup'],
    [{ amount: 0 }, 400, 'amount: must be greater than 0'],
    [{ amount: 0.001 }, 400, 'amount: must not have more decimals'],
    [{ amount: 5e12 }, 400, 'come to 1,000,000,000,000'],
    [{ amonut: 5 }, 400, 'amonut'],
  ])('%j is refused with %i: %s', async (given, status, problem) => {
    const { cardAccountId } = await openAccount(service)
    const response = await post('/credits', { cardAccountId, intent: 'topup', amount: 1, ...given })
    expect(response.status).toBe(status)
    expect(response.text).toContain(problem)
    await expectBalance(cardAccountId, 0)
  })
})

describe('charges', () => {
  test('have the merchant, type and presence that were given', async () => {
    const account = await openAccount(service)
    const merchant = { name: 'Tim Ho Wan', mcc: '5812', country: 'SG' }
    const { json } = await post('/charges', { ...account, amount: 3000, currency: 'JPY', merchant, type: 'ATM' })
    expect(json).toMatchObject({
      status: 'pending',
      description: 'Tim Ho Wan',
      merchant: { ...merchant, category: 'Restaurants' },
      authorization: { currency: 'JPY', amount: 3000, type: 'ATM', cardPresent: true },
    })
    const away = await post('/charges', { ...account, amount: 5, currency: 'HKD', type: 'ATM', cardPresent: false })
    expect(away.json.authorization).toMatchObject({ type: 'ATM', cardPresent: false })
  })

  test.each([
    ['suspected-fraud', { responseCode: '59', responseMessage: 'Suspected fraud' }],
    [
      { responseCode: 'N7', responseMessage: 'CVV2 mismatch' },
      { responseCode: 'N7', responseMessage: 'CVV2 mismatch' },
    ],
  ])('declineReason %j declines a charge that would be approved', async (declineReason, expected) => {
    const account = await openAccount(service)
    const { json } = await post('/charges', { ...account, amount: 5, currency: 'HKD', declineReason })
    expect(json).toMatchObject({ status: 'declined', authorization: expected })
    await expectBalance(account.cardAccountId, 0)
  })

  test.each([
    [{ declineReason: 'mood' }, 'declineReason: must be one of do-not-honor'],
    [{ merchant: { name: 'X', mcc: '58' } }, 'merchant.mcc: must be a merchant category code'],
    [{ merchant: { name: 'X', mcc: '5812', country: 'Hong Kong' } }, 'merchant.country: must be an ISO 3166-1'],
    [{ currency: 'XXX' }, 'currency: must be one of HKD'],
    [{ type: 'GIFT' }, 'type: must be one of PURCHASE, ATM'],
    [{ opts: { purchaseAmmount: 90, countryCode: 840 } }, 'opts: Unrecognized key: "purchaseAmmount"'],
  ])('%j is refused: %s', async (given, problem) => {
    const account = await openAccount(service)
    const { status, json } = await post('/charges', { ...account, amount: 5, currency: 'HKD', ...given })
    expect([status, json.code]).toEqual([400, 'INVALID_PARAMETERS'])
    expect(json.message).toContain(problem)
  })
})

describe('captures', () => {
  test('post a charge now, once, and take its capture off the calendar', async () => {
    const { cardAccountId, transactionId } = await charged()
    const since = await lastEvent(service)
    const { json } = await post('/captures', { transactionId })
    expect(json).toMatchObject({ status: 'posted', amount: 100, postedAt: expect.any(String) })
    expect(await eventsSince(service, since)).toEqual([{ event: 'cardaccount.transaction.updated', data: json }])
    expect(await service.service.db.select().from(dueWork).where(eq(dueWork.subject, transactionId))).toEqual([])
    expect((await post('/captures', { transactionId })).json.message).toBe(
      'transactionId: must be a pending transaction',
    )
    await expectBalance(cardAccountId, -100)
  })

  test('of a part post that part and release the rest', async () => {
    const { cardAccountId, transactionId } = await charged()
    const { json } = await post('/captures', { transactionId, amount: 60.5 })
    expect(json).toMatchObject({ status: 'posted', amount: 60.5, grossAmount: 60.5, authorization: { amount: 100 } })
    await expectBalance(cardAccountId, -60.5)
    expect((await post('/reversals', { transactionId, amount: 61 })).json.message).toBe(
      'amount: must be at most 60.5 HKD',
    )
  })

  test('of more than the charge are refused', async () => {
    const { cardAccountId, transactionId } = await charged()
    expect((await post('/captures', { transactionId, amount: 100.01 })).json.message).toBe(
      'amount: must be at most 100 HKD',
    )
    expect((await post('/captures', { transactionId, amount: 1.001 })).status).toBe(400)
    await expectBalance(cardAccountId, -100)
  })
})

describe('reversals', () => {
  test('of a part of a pending charge make it smaller; of the rest, void', async () => {
    const { cardAccountId, transactionId } = await charged()
    const part = (await post('/reversals', { transactionId, amount: 30 })).json
    expect(part).toMatchObject({ transaction: { status: 'pending', amount: 70, grossAmount: 70 }, refund: null })
    await expectBalance(cardAccountId, -70)
    expect((await post('/reversals', { transactionId, amount: 71 })).status).toBe(400)
    expect((await post('/reversals', { transactionId })).json.transaction).toMatchObject({ status: 'void', amount: 70 })
    await expectBalance(cardAccountId, 0)
    expect((await post('/reversals', { transactionId })).json.message).toContain('transactionId: must be a pending or')
  })

  test('of parts of a posted charge refund them, and never more than the charge', async () => {
    const { cardAccountId, transactionId } = await charged()
    await post('/captures', { transactionId })
    const since = await lastEvent(service)
    const part = (await post('/reversals', { transactionId, amount: 30 })).json
    expect(part).toMatchObject({
      transaction: { id: transactionId, status: 'posted', amount: 100 },
      refund: { intent: 'refund', entryType: 'DEBIT', amount: 30, status: 'posted' },
    })
    expect((await eventsSince(service, since)).map(({ event }) => event)).toEqual([
      'cardaccount.transaction.created',
      'cardaccount.balance',
    ])
    await expectBalance(cardAccountId, -70)
    expect((await post('/reversals', { transactionId, amount: 70.01 })).json.message).toBe(
      'amount: must be at most 70 HKD',
    )
    const body = { cardAccountId, cardTransactionId: transactionId }
    expect((await service.call('simulateFullReversal', { body })).status).toBe(200)
    await expectBalance(cardAccountId, 0)
    expect((await service.call('simulateFullReversal', { body })).status).toBe(400)
    expect((await post('/reversals', { transactionId, amount: 1 })).status).toBe(400)
  })

  test('at once never reverse more than the charge', async () => {
    const { cardAccountId, transactionId } = await charged()
    await post('/captures', { transactionId })
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => post('/reversals', { transactionId, amount: 30 })),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3)
    await expectBalance(cardAccountId, -10)
  })

  test('give the reversed part back to the limits of the card', async () => {
    const { cardAccountId, cardId, transactionId } = await charged()
    await service.service.db.update(cards).set({ dailyLimit: '120' }).where(eq(cards.id, cardId))
    await post('/captures', { transactionId })
    const availableLimit = async () =>
      (await service.call('listCards', { query: { cardAccountId, cardId } })).json.cards[0].availableLimit
    expect(await availableLimit()).toBe(20)
    await post('/reversals', { transactionId, amount: 25 })
    expect(await availableLimit()).toBe(45)
  })

  test('are refused for anything but a charge', async () => {
    const { cardAccountId } = await openAccount(service)
    const { json } = await post('/credits', { cardAccountId, intent: 'topup', amount: 5 })
    expect((await post('/reversals', { transactionId: json.id })).status).toBe(400)
    expect((await post('/reversals', { transactionId: unknownId })).json.code).toBe('TRANSACTION_NOT_FOUND')
    expect((await post('/captures', { transactionId: unknownId })).json.code).toBe('TRANSACTION_NOT_FOUND')
  })
})

test('a funding account is topped up, with its ledger entry and event', async () => {
  const [account] = (await service.call('listAccounts')).json.accounts
  const since = await lastEvent(service)
  const topUp = (given: object) => post('/funding-accounts/top-up', { accountId: account.id, amount: 2500.5, ...given })
  expect((await topUp({})).json).toEqual({
    ...account,
    balance: account.balance + 2500.5,
    available: account.available + 2500.5,
  })
  const [entry] = (await service.call('listAccountTransactions', { query: { accountId: account.id } })).json
    .transactions
  expect(entry).toMatchObject({ amount: 2500.5, intent: 'topup', status: 'posted', balance: account.balance + 2500.5 })
  expect(await eventsSince(service, since)).toEqual([{ event: 'account.transaction.created', data: entry }])
  expect((await topUp({ accountId: unknownId })).json.code).toBe('ACCOUNT_NOT_FOUND')
  for (const amount of [0, -1, 0.001, 5e12, '5']) expect((await topUp({ amount })).text).toContain('amount: ')
})
