import { afterAll, beforeAll, expect, test } from 'vitest'
import { disputeStatuses } from '#lib/contract/transactions.ts'
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
  service = await openTestService({ seeded: 1 })
})

afterAll(() => service.close())

async function chargedAccount() {
  const account = await openAccount(service)
  const body = { ...account, amount: 70.5, currency: 'HKD' }
  const { cardTransactionId } = (await service.call('simulateAuthorization', { body })).json
  return { ...account, transactionId: cardTransactionId as string }
}

const move = (transactionId: unknown, status: unknown) =>
  service.control('POST', '/disputes', { transactionId, status })

test('disputeAmount follows requested and pending alone, and every move is an event with the latest status', async () => {
  const { cardAccountId, transactionId } = await chargedAccount()
  for (const status of [...disputeStatuses, null]) {
    const since = await lastEvent(service)
    const response = await move(transactionId, status)
    expect(response.status, response.text).toBe(200)
    expect(response.json).toEqual(await transactionRecord(service, cardAccountId, transactionId))
    expect(response.json.disputeStatus).toBe(status)
    expect(await accountRecord(service, cardAccountId)).toMatchObject({
      balance: -70.5,
      disputeAmount: status === 'requested' || status === 'pending' ? 70.5 : 0,
    })
    expect(await eventsSince(service, since)).toEqual([
      { event: 'cardaccount.transaction.updated', data: response.json },
    ])
  }
})

test('the status that it has already is no change, and no event', async () => {
  const { transactionId } = await chargedAccount()
  await move(transactionId, 'pending')
  const since = await lastEvent(service)
  expect((await move(transactionId, 'pending')).json.disputeStatus).toBe('pending')
  expect(await eventsSince(service, since)).toEqual([])
})

test('refuses unknown transactions and statuses', async () => {
  const { transactionId } = await chargedAccount()
  expect(await move(unknownId, 'pending')).toMatchObject({ status: 404, json: { code: 'TRANSACTION_NOT_FOUND' } })
  for (const status of ['won', undefined, 5]) {
    expect(await move(transactionId, status)).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  }
  expect(await move('x', null)).toMatchObject({ status: 400 })
})
