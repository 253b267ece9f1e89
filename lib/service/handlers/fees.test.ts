import { afterAll, beforeAll, expect, test } from 'vitest'
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
  service = await openTestService({ seeded: 12 })
})

afterAll(() => service.close())

async function chargeFee(cardAccountId: string, given: Record<string, unknown> = {}) {
  return service.control('POST', '/fees', { cardAccountId, intent: 'late-payment-fee', amount: 120.5, ...given })
}

async function listFees(query: Record<string, string | string[]> = {}) {
  const response = await service.call('listFees', { query })
  expect(response.status, response.text).toBe(200)
  return response.json
}

test('a charged fee is posted in the account’s currency, with its transaction', async () => {
  const { cardAccountId } = await openAccount(service, { currency: 'USD' })
  const { status, json: fee } = await chargeFee(cardAccountId)
  expect(status).toBe(200)
  expect(fee).toMatchObject({ amount: 120.5, currency: 'USD', status: 'posted', intent: 'late-payment-fee' })
  expect(fee.transaction).toEqual(await transactionRecord(service, cardAccountId, fee.transaction.id))
  expect(fee.transaction).toMatchObject({ intent: 'fee', entryType: 'CREDIT', amount: 120.5, status: 'posted' })
  expect(await accountRecord(service, cardAccountId)).toMatchObject({ balance: -120.5, outstanding: 120.5 })
  expect((await listFees({ feeId: fee.id })).fees).toEqual([fee])
})

test('a waived fee is void with its transaction, and the balance is right in the same response', async () => {
  const { cardAccountId } = await openAccount(service)
  const { json: fee } = await chargeFee(cardAccountId)
  const since = await lastEvent(service)
  const { status, json: waived } = await service.call('waiveFee', { body: { id: fee.id } })
  expect(status).toBe(200)
  expect(waived).toMatchObject({ id: fee.id, status: 'void', transaction: { status: 'void', postedAt: null } })
  const record = await accountRecord(service, cardAccountId)
  expect(record).toMatchObject({ balance: 0, outstanding: 0, available: 1000 })
  expect(await eventsSince(service, since)).toEqual([
    { event: 'cardaccount.transaction.updated', data: waived.transaction },
    { event: 'cardaccount.balance', data: record },
  ])
  expect((await listFees({ feeId: fee.id })).fees).toEqual([waived])
})

test('a fee that is void already is refused with INVALID_PARAMETERS, an unknown one with FEE_NOT_FOUND', async () => {
  const { cardAccountId } = await openAccount(service)
  const { id } = (await chargeFee(cardAccountId)).json
  await service.call('waiveFee', { body: { id } })
  expect(await service.call('waiveFee', { body: { id } })).toMatchObject({
    status: 400,
    json: { code: 'INVALID_PARAMETERS' },
  })
  expect(await service.call('waiveFee', { body: { id: unknownId } })).toMatchObject({
    status: 400,
    json: { code: 'FEE_NOT_FOUND' },
  })
  for (const body of [{}, { id: 5 }, { id: 'x' }, { id: null }]) {
    expect(await service.call('waiveFee', { body })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_PARAMETERS' },
    })
  }
})

test('a pending fee can be waived, and is not posted any more; one that is not waived is posted in time', async () => {
  const pending = (await listFees({ pageSize: '100' })).fees.filter(
    (fee: { status: string }) => fee.status === 'pending',
  )
  const [waived, posted] = pending
  expect(posted).toBeDefined()
  expect(await service.call('waiveFee', { body: { id: waived.id } })).toMatchObject({ json: { status: 'void' } })
  await service.control('POST', '/clock', { advance: 'PT24H' })
  expect((await listFees({ feeId: waived.id })).fees).toMatchObject([
    { status: 'void', transaction: { status: 'void' } },
  ])
  expect((await listFees({ feeId: posted.id })).fees).toMatchObject([
    { status: 'posted', transaction: { status: 'posted', postedAt: expect.any(String) } },
  ])
})

test('fees are found by intent, account, several accounts, transaction xid and time, newest first', async () => {
  const [one, other] = [await openAccount(service), await openAccount(service)]
  const first = (await chargeFee(one.cardAccountId, { intent: 'unheard-of-fee' })).json
  await service.control('POST', '/clock', { advance: 'PT1M' })
  const second = (await chargeFee(other.cardAccountId, { intent: 'unheard-of-fee' })).json
  const ids = async (query: Record<string, string | string[]>) =>
    (await listFees(query)).fees.map((fee: { id: string }) => fee.id)

  expect(await ids({ intent: 'unheard-of-fee' })).toEqual([second.id, first.id])
  expect(await ids({ accountId: one.cardAccountId })).toEqual([first.id])
  expect(await ids({ accountId: [one.cardAccountId, other.cardAccountId] })).toEqual([second.id, first.id])
  expect(await ids({ accountId: `${one.cardAccountId},${other.cardAccountId}` })).toEqual([second.id, first.id])
  expect(await ids({ intent: 'unheard-of-fee', dateRangeTo: first.createdAt })).toEqual([first.id])
  expect(await ids({ intent: 'unheard-of-fee', dateRangeFrom: second.createdAt })).toEqual([second.id])
  expect((await listFees({ xid: 'FEE-2026-0107' })).fees).toMatchObject([{ transaction: { xid: 'FEE-2026-0107' } }])
  expect(await ids({ xid: 'nobody has this' })).toEqual([])

  const page = await listFees({ intent: 'unheard-of-fee', pageSize: '1' })
  expect(await ids({ intent: 'unheard-of-fee', pageSize: '1', pageToken: page.nextPageToken })).toEqual([first.id])
})

test.each([
  ['feeId', 'x'],
  ['accountId', 'x'],
  ['dateRangeFrom', 'yesterday'],
  ['pageSize', '0'],
  ['pageToken', 'x'],
])('refuses the filter %s=%s', async (name, value) => {
  const response = await service.call('listFees', { query: { [name]: value } })
  expect(response).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  expect(response.json.message).toContain(name)
})

test('charging refuses an unknown account, an amount that is none, and reports all that is wrong together', async () => {
  expect(await chargeFee(unknownId)).toMatchObject({ status: 404, json: { code: 'CARD_ACCOUNT_NOT_FOUND' } })
  const response = await chargeFee('x', { intent: '', amount: -1 })
  expect(response).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  for (const field of ['cardAccountId', 'intent', 'amount']) expect(response.json.message).toContain(field)
  const { cardAccountId } = await openAccount(service)
  expect(await chargeFee(cardAccountId, { amount: 0.005 })).toMatchObject({ status: 400 })
})
