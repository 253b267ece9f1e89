import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { amount, roundToMinorUnit, toWire } from '#lib/shared/money.ts'
import { rateAt } from '../rates.ts'
import { cards } from '../tables/cards.ts'
import {
  accountRecord,
  eventsSince,
  lastEvent,
  openAccount,
  transactionRecord,
  unknownId,
} from '../testing-accounts.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ seeded: 3 })
})

afterAll(() => service.close())

type Opened = Awaited<ReturnType<typeof openAccount>>

async function authorize(account: Opened, given: Record<string, unknown> = {}) {
  const body = { ...account, amount: 100, currency: 'HKD', ...given }
  const response = await service.call('simulateAuthorization', { body })
  expect(response.status, response.text).toBe(200)
  return transactionRecord(service, account.cardAccountId, response.json.cardTransactionId)
}

async function setCard(cardId: string, values: Partial<typeof cards.$inferInsert>): Promise<void> {
  await service.service.db.update(cards).set(values).where(eq(cards.id, cardId))
}

describe('an authorization', () => {
  test('is a pending charge with its authorization and merchant, and counts at once', async () => {
    const account = await openAccount(service)
    const since = await lastEvent(service)
    const charge = await authorize(account, { amount: 250.5, opts: { countryCode: 392, purchaseAmount: 300 } })
    expect(charge).toMatchObject({
      status: 'pending',
      postedAt: null,
      intent: 'charge',
      entryType: 'CREDIT',
      currency: 'HKD',
      amount: 250.5,
      grossAmount: 300,
      cardId: account.cardId,
      cardEmbossedName: 'LEE KA YAN',
      disputeStatus: null,
      authorization: {
        currency: 'HKD',
        amount: 250.5,
        type: 'PURCHASE',
        responseCode: '00',
        responseMessage: 'Approved',
        cardPresent: false,
      },
      merchant: { country: 'JP' },
    })
    const record = await accountRecord(service, account.cardAccountId)
    expect(record).toMatchObject({ balance: -250.5, outstanding: 250.5, available: 749.5 })
    expect(await eventsSince(service, since)).toEqual([
      { event: 'cardaccount.transaction.created', data: charge },
      { event: 'cardaccount.balance', data: record },
    ])
  })

  test('is declined without changing the balance, with an event', async () => {
    const account = await openAccount(service)
    const since = await lastEvent(service)
    const declined = await authorize(account, { amount: 1000.01 })
    expect(declined).toMatchObject({
      status: 'declined',
      amount: 1000.01,
      authorization: { responseCode: '51', responseMessage: 'Insufficient available balance' },
    })
    expect(await accountRecord(service, account.cardAccountId)).toMatchObject({ balance: 0, available: 1000 })
    expect(await eventsSince(service, since)).toEqual([{ event: 'cardaccount.transaction.declined', data: declined }])
  })

  test('of all that is available is approved', async () => {
    expect(await authorize(await openAccount(service), { amount: 1000 })).toMatchObject({ status: 'pending' })
  })

  test.each(['USD', 'EUR'])('in %s is converted at the rate of its moment', async (currency) => {
    const account = await openAccount(service, { limit: 100_000 })
    const charge = await authorize(account, { amount: 123.45, currency })
    const rate = rateAt(new Date(charge.createdAt), currency, 'HKD')
    expect(charge.amount).toBe(toWire(roundToMinorUnit(amount('123.45').times(rate), 'HKD')))
    expect(charge.authorization).toMatchObject({ currency, amount: 123.45 })
  })

  test.each([
    ['locked', 'The card is locked'],
    ['suspended', 'The card is suspended'],
    ['pending-issue', 'The card is not issued yet'],
    ['pending-activation', 'The card is not activated yet'],
    ['cancelled', 'The card is cancelled'],
  ] as const)('on a card that is %s is declined: %s', async (status, responseMessage) => {
    const account = await openAccount(service)
    await setCard(account.cardId, { status })
    expect(await authorize(account)).toMatchObject({
      status: 'declined',
      authorization: { responseCode: '62', responseMessage },
    })
  })

  test('works again right after an unlock', async () => {
    const account = await openAccount(service)
    await service.call('lockCard', { body: account })
    expect(await authorize(account)).toMatchObject({ status: 'declined' })
    await service.call('unlockCard', { body: account })
    expect(await authorize(account)).toMatchObject({ status: 'pending' })
  })

  test('after the month of the expiry is declined', async () => {
    const account = await openAccount(service)
    await setCard(account.cardId, { expiryMonth: 1, expiryYear: 2020 })
    expect(await authorize(account)).toMatchObject({ authorization: { responseCode: '54' }, status: 'declined' })
  })

  test.each([
    ['singleTransactionLimit', {}, 'Exceeds the single transaction limit'],
    ['dailyPurchaseLimit', {}, 'Exceeds the daily purchase limit'],
    ['dailyAtmLimit', { type: 'ATM' }, 'Exceeds the daily ATM limit'],
    ['dailyLimit', {}, 'Exceeds the daily limit'],
    ['cardLimit', {}, 'Exceeds the card limit'],
    ['cardPresentLimit', { cardPresent: true }, 'Exceeds the card-present limit'],
    ['cardNotPresentLimit', { cardPresent: false }, 'Exceeds the card-not-present limit'],
  ])('over the %s is declined, and at it approved', async (limit, opts, responseMessage) => {
    const account = await openAccount(service)
    await setCard(account.cardId, { [limit]: '99.99' })
    const declined = { status: 'declined', authorization: { responseCode: '61', responseMessage } }
    expect(await authorize(account, { amount: 100, opts })).toMatchObject(declined)
    expect(await authorize(account, { amount: 99.99, opts })).toMatchObject({ status: 'pending' })
    const again = limit === 'singleTransactionLimit' ? { status: 'pending' } : declined
    expect(await authorize(account, { amount: 0.01, opts })).toMatchObject(again)
  })

  test('leaves as availableLimit of the card what can still be charged', async () => {
    const account = await openAccount(service)
    await setCard(account.cardId, { dailyLimit: '400' })
    const availableLimit = async () =>
      (await service.call('listCards', { query: { cardAccountId: account.cardAccountId } })).json.cards[0]
        .availableLimit
    expect(await availableLimit()).toBe(400)
    const { id } = await authorize(account, { amount: 150 })
    expect(await availableLimit()).toBe(250)
    const body = { cardAccountId: account.cardAccountId, cardTransactionId: id }
    await service.call('simulateFullReversal', { body })
    expect(await availableLimit()).toBe(400)
  })

  test.each([
    ['an unknown account', { cardAccountId: unknownId }, 404, 'CARD_ACCOUNT_NOT_FOUND'],
    ['a card that is not of the account', { cardId: unknownId }, 400, 'CARD_NUMBER_MISMATCH'],
    ['an amount of 0', { amount: 0 }, 400, 'INVALID_PARAMETERS'],
    ['an amount below 0', { amount: -5 }, 400, 'INVALID_PARAMETERS'],
    ['a text for an amount', { amount: '5' }, 400, 'INVALID_PARAMETERS'],
    ['less than half a cent', { amount: 0.0049 }, 400, 'INVALID_PARAMETERS'],
    ['a purchase of less than half a cent', { opts: { purchaseAmount: 0.0049 } }, 400, 'INVALID_PARAMETERS'],
    ['a currency that is not HKD, USD or EUR', { currency: 'JPY' }, 400, 'INVALID_PARAMETERS'],
    ['a currency of two letters', { currency: 'US' }, 400, 'INVALID_PARAMETERS'],
    ['a purchase amount of 0', { opts: { purchaseAmount: 0 } }, 400, 'INVALID_PARAMETERS'],
    ['a country that is no whole number', { opts: { countryCode: 34.4 } }, 400, 'INVALID_PARAMETERS'],
    ['an opts that is no object', { opts: 'none' }, 400, 'INVALID_PARAMETERS'],
  ])('refuses %s', async (_, given, status, code) => {
    const account = await openAccount(service)
    const body = { ...account, amount: 100, currency: 'HKD', ...given }
    expect(await service.call('simulateAuthorization', { body })).toMatchObject({ status, json: { code } })
    const query = { cardAccountId: account.cardAccountId }
    expect((await service.call('listCardAccountTransactions', { query })).json.transactions).toEqual([])
  })

  test('refuses an amount that is nothing in the account’s currency', async () => {
    const account = await openAccount(service, { currency: 'USD' })
    const body = { ...account, amount: 0.01, currency: 'HKD' }
    const response = await service.call('simulateAuthorization', { body })
    expect(response).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
    expect(response.json.message).toContain('amount: ')
  })

  test('rounds tenths of a cent half up, and shows an unknown country number as sent', async () => {
    const account = await openAccount(service)
    expect(await authorize(account, { amount: 1.005, opts: { countryCode: 7 } })).toMatchObject({
      amount: 1.01,
      authorization: { amount: 1.01 },
      merchant: { country: '007' },
    })
  })

  test('refuses an amount that has too many digits in the account’s currency', async () => {
    const account = await openAccount(service, { currency: 'IDR', limit: 1000 })
    const body = { ...account, amount: 9_999_999_999_999, currency: 'EUR' }
    expect(await service.call('simulateAuthorization', { body })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_PARAMETERS', message: 'amount: is too large in IDR' },
    })
  })
})

describe('a full reversal', () => {
  async function reverse(cardAccountId: string, cardTransactionId: string) {
    return service.call('simulateFullReversal', { body: { cardAccountId, cardTransactionId } })
  }

  test('makes a pending charge void; it is not captured any more', async () => {
    const account = await openAccount(service)
    const { id } = await authorize(account)
    expect((await reverse(account.cardAccountId, id)).json).toEqual({ cardTransactionId: id })
    await service.control('POST', '/clock', { advance: 'PT25H' })
    expect(await transactionRecord(service, account.cardAccountId, id)).toMatchObject({
      status: 'void',
      postedAt: null,
    })
    expect(await accountRecord(service, account.cardAccountId)).toMatchObject({ balance: 0, available: 1000 })
  })

  test('refunds a posted charge with an entry of the full amount', async () => {
    const account = await openAccount(service)
    const { id } = await authorize(account, { amount: 88.8 })
    await service.control('POST', '/clock', { advance: 'PT24H' })
    expect((await reverse(account.cardAccountId, id)).json).toEqual({ cardTransactionId: id })
    expect(await transactionRecord(service, account.cardAccountId, id)).toMatchObject({ status: 'posted' })
    const query = { cardAccountId: account.cardAccountId, intent: 'refund' }
    const { transactions } = (await service.call('listCardAccountTransactions', { query })).json
    expect(transactions).toMatchObject([
      { status: 'posted', entryType: 'DEBIT', amount: 88.8, cardId: account.cardId, authorization: null },
    ])
    expect(await accountRecord(service, account.cardAccountId)).toMatchObject({ balance: 0 })
  })

  test.each(['PT0H', 'PT24H'])('is refused a second time (captured after %s)', async (advance) => {
    const account = await openAccount(service)
    const { id } = await authorize(account)
    if (advance !== 'PT0H') await service.control('POST', '/clock', { advance })
    const responses = await Promise.all(Array.from({ length: 20 }, () => reverse(account.cardAccountId, id)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 400)])
    expect(await reverse(account.cardAccountId, id)).toMatchObject({ json: { code: 'INVALID_PARAMETERS' } })
    expect(await accountRecord(service, account.cardAccountId)).toMatchObject({ balance: 0 })
  })

  test('is refused for a declined charge and for a fee with INVALID_PARAMETERS', async () => {
    const account = await openAccount(service)
    const { id } = await authorize(account, { amount: 5000 })
    const fee = { cardAccountId: account.cardAccountId, intent: 'annual-fee', amount: 1 }
    const charged = (await service.control('POST', '/fees', fee)).json
    for (const each of [id, charged.transaction.id]) {
      expect(await reverse(account.cardAccountId, each)).toMatchObject({
        status: 400,
        json: { code: 'INVALID_PARAMETERS' },
      })
    }
  })

  test('does not find other accounts or their transactions', async () => {
    const [one, other] = [await openAccount(service), await openAccount(service)]
    const { id } = await authorize(one)
    expect(await reverse(other.cardAccountId, id)).toMatchObject({
      status: 404,
      json: { code: 'TRANSACTION_NOT_FOUND' },
    })
    expect(await reverse(one.cardAccountId, unknownId)).toMatchObject({ json: { code: 'TRANSACTION_NOT_FOUND' } })
    expect(await reverse(unknownId, id)).toMatchObject({ status: 404, json: { code: 'CARD_ACCOUNT_NOT_FOUND' } })
    expect(await transactionRecord(service, one.cardAccountId, id)).toMatchObject({ status: 'pending' })
  })
})

describe('a repayment', () => {
  test('repays what is owed, account by account; one that owes nothing or is unknown does not stop the others', async () => {
    const [owing, clear] = [await openAccount(service), await openAccount(service)]
    await authorize(owing, { amount: 321.09 })
    const cardAccountIds = [unknownId, clear.cardAccountId, owing.cardAccountId, owing.cardAccountId]
    const { status, json } = await service.call('simulateRepay', { body: { cardAccountIds } })
    expect(status).toBe(200)
    expect(json.repayments).toEqual([
      { cardAccountId: unknownId, currency: null, repayAmount: null, error: expect.any(String) },
      { cardAccountId: clear.cardAccountId, currency: 'HKD', repayAmount: null, error: expect.any(String) },
      { cardAccountId: owing.cardAccountId, currency: 'HKD', repayAmount: 321.09, error: null },
      { cardAccountId: owing.cardAccountId, currency: 'HKD', repayAmount: null, error: expect.any(String) },
    ])
    expect(await accountRecord(service, owing.cardAccountId)).toMatchObject({ balance: 0, outstanding: 0 })
    const query = { cardAccountId: owing.cardAccountId, intent: 'repay' }
    expect((await service.call('listCardAccountTransactions', { query })).json.transactions).toMatchObject([
      { status: 'posted', entryType: 'DEBIT', amount: 321.09 },
    ])
  })

  test.each([[[]], ['x'], [['not-a-uuid']], [undefined]])('refuses the list %j', async (cardAccountIds) => {
    expect(await service.call('simulateRepay', { body: { cardAccountIds } })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_PARAMETERS' },
    })
  })
})
