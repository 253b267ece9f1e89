import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount, unknownId } from '../testing-accounts.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ seeded: 1 })
})
afterAll(() => service.close())

const set = (body: object) => service.control('POST', '/cards/set', body)
const charge = async (body: object) =>
  (await service.control('POST', '/charges', { amount: 80, currency: 'HKD', ...body })).json

test('a card gets limits of its own, and the rest of it stays', async () => {
  const account = await openAccount(service)
  const before = (await service.call('listCards', { query: account })).json.cards[0]
  const { json } = await set({ ...account, singleTransactionLimit: 50.5, dailyAtmLimit: 0 })
  expect(json).toMatchObject({
    ...before,
    singleTransactionLimit: 50.5,
    dailyAtmLimit: 0,
    availableLimit: expect.any(Number) as number,
  })
  expect(await charge(account)).toMatchObject({ status: 'declined', authorization: { responseCode: '61' } })
})

test('an expired card declines with 54', async () => {
  const account = await openAccount(service)
  expect((await set({ ...account, expiryMonth: 1, expiryYear: 2020 })).json).toMatchObject({ expiryYear: 2020 })
  expect(await charge(account)).toMatchObject({ status: 'declined', authorization: { responseCode: '54' } })
})

test.each([
  ['no change', {}, 'INVALID_PARAMETERS'],
  ['a negative limit', { dailyLimit: -1 }, 'INVALID_PARAMETERS'],
  ['a card of nobody', { replacedBy: unknownId }, 'CARD_NUMBER_MISMATCH'],
])('%s is refused', async (_, changes, code) => {
  expect((await set({ ...(await openAccount(service)), ...changes })).json).toMatchObject({ code })
})

test('a card is replaced by another one of its account', async () => {
  const [account, other] = [await openAccount(service), await openAccount(service)]
  expect((await set({ ...account, replacedBy: account.cardId })).json).toMatchObject({ replacedBy: account.cardId })
  expect((await set({ ...account, replacedBy: other.cardId })).json).toMatchObject({ code: 'CARD_NUMBER_MISMATCH' })
})

test('a forced charge is approved whatever card, limits and account allow', async () => {
  const account = await openAccount(service, { accountType: 'prepaid', limit: 0 })
  await service.call('lockCard', { body: account })
  expect(await charge(account)).toMatchObject({ status: 'declined' })
  expect(await charge({ ...account, forced: true })).toMatchObject({ status: 'pending', amount: 80 })
  const both = await charge({ ...account, forced: true, declineReason: 'lost-card' })
  expect(both).toMatchObject({ code: 'INVALID_PARAMETERS', message: expect.stringContaining('forced') as string })
})

test('a charge abroad takes the account’s amount that is given', async () => {
  const account = await openAccount(service)
  const abroad = { ...account, amount: 1600, currency: 'JPY' }
  expect(await charge({ ...abroad, accountAmount: 83.25 })).toMatchObject({
    amount: 83.25,
    grossAmount: 83.25,
    authorization: { amount: 1600, currency: 'JPY' },
  })
  expect(await charge({ ...abroad, accountAmount: 83.255 })).toMatchObject({
    message: 'accountAmount: must not have more decimals than HKD has',
  })
})

test('an amount with more decimals than its currency has is refused, and nothing changes', async () => {
  const account = await openAccount(service)
  for (const [given, problem] of [
    [{ amount: 80.555 }, 'amount: must not have more decimals than HKD has'],
    [{ amount: 100.5, currency: 'JPY' }, 'amount: must not have more decimals than JPY has'],
    [{ opts: { purchaseAmount: 1.999 } }, 'opts.purchaseAmount: must not have more decimals than HKD has'],
  ] as const) {
    expect(await charge({ ...account, ...given })).toMatchObject({ code: 'INVALID_PARAMETERS', message: problem })
  }
  expect((await set({ ...account, dailyLimit: 1.999 })).json).toMatchObject({
    message: 'dailyLimit: must not have more decimals than HKD has',
  })
  const { json } = await service.call('listCardAccountTransactions', {
    query: { cardAccountId: account.cardAccountId },
  })
  expect(json.transactions).toEqual([])
})

test('credits and fees name their card, and a pending fee is posted after a day', async () => {
  const account = await openAccount(service)
  const credit = await service.control('POST', '/credits', { ...account, intent: 'withdraw', amount: 20 })
  expect(credit.json).toMatchObject({ cardId: account.cardId, intent: 'withdraw', entryType: 'CREDIT' })
  const fee = { ...account, intent: 'atm-withdrawal-fee', amount: 5, status: 'pending' }
  const charged = (await service.control('POST', '/fees', fee)).json
  expect(charged).toMatchObject({ status: 'pending', transaction: { status: 'pending', cardId: account.cardId } })
  await service.control('POST', '/clock', { advance: 'P1D' })
  const [posted] = (await service.call('listFees', { query: { feeId: charged.id } })).json.fees
  expect(posted).toMatchObject({ status: 'posted', transaction: { status: 'posted' } })
  const stranger = await openAccount(service)
  const wrong = { ...fee, cardId: stranger.cardId }
  expect((await service.control('POST', '/fees', wrong)).json).toMatchObject({ code: 'CARD_NUMBER_MISMATCH' })
})
