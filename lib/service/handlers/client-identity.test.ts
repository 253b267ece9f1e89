import { afterAll, beforeAll, expect, test } from 'vitest'
import { rejectionReasons } from '#lib/contract/terms.ts'
import { exampleIndividual as individual } from '#lib/contract/test-values.ts'
import { accountRecord, eventsSince, lastEvent, openAccount, unknownId } from '../testing-accounts.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ seeded: 3 })
})

afterAll(() => service.close())

const read = (cardAccountId: string) => service.call('getClientIdentity', { query: { cardAccountId } })
const simulate = (body: Record<string, unknown>) => service.call('simulateClientIdentityStatus', { body })
const resubmit = (cardAccountId: string, given: Record<string, unknown> = individual) =>
  service.call('resubmitClientIdentity', { body: { cardAccountId, individual: given } })

test('a new account’s identity is pending, and personal data comes back masked', async () => {
  const { cardAccountId } = await openAccount(service)
  const { status, json, text } = await read(cardAccountId)
  expect(status).toBe(200)
  expect(json).toEqual({
    cardAccountId,
    status: 'pending',
    rejectedReason: null,
    rejectionAdditionalInfo: null,
    individual: {
      firstName: 'S***',
      lastName: 'W***',
      dateOfBirth: '1990-**-**',
      email: 's***@example.com',
      mobile: '+852***67',
      occupation: 'engineer',
      position: 'manager',
      gender: 'MALE',
      nationality: 'HK',
      address: '***',
      document: { type: 'HKID', number: '***', country: 'HK', expiryDate: '2035-01-31' },
      supportingDocuments: [],
    },
  })
  for (const secret of ['Siu Ming', 'siu.ming', '51234567', 'A123456', 'Queen']) expect(text).not.toContain(secret)
})

test('an account of a company has an identity without an individual', async () => {
  const list = (await service.call('listCardAccounts')).json.cardaccounts
  const company = list.find((account: { identityType: string }) => account.identityType === 'business')
  expect((await read(company.id)).json).toMatchObject({ status: 'approved', individual: null })
})

test.each([[null], ['EMP-77']])(
  'approval responds, shows on the account, and sends an event with xid %s',
  async (xid) => {
    const { cardAccountId } = await openAccount(service, { xid })
    const since = await lastEvent(service)
    const { status, json } = await simulate({ cardAccountId, action: 'approve' })
    expect(status).toBe(200)
    expect(json).toEqual((await read(cardAccountId)).json)
    expect(json).toMatchObject({ status: 'approved', rejectedReason: null })
    expect(await accountRecord(service, cardAccountId)).toMatchObject({ clientIdentityStatus: 'approved' })
    expect(await eventsSince(service, since)).toEqual([
      { event: 'cardaccount.client-identity.approved', data: { cardAccountId, xid } },
    ])
  },
)

test('the event carries the xid of its moment', async () => {
  const { cardAccountId } = await openAccount(service, { xid: 'EMP-OLD' })
  await service.call('setXmetadata', { body: { target: { type: 'cardaccount', id: cardAccountId }, xid: 'EMP-NEW' } })
  const since = await lastEvent(service)
  await simulate({ cardAccountId, action: 'approve' })
  expect(await eventsSince(service, since)).toMatchObject([{ data: { xid: 'EMP-NEW' } }])
})

test.each(rejectionReasons)('rejection with the reason "%s"', async (rejectedReason) => {
  const { cardAccountId } = await openAccount(service)
  const since = await lastEvent(service)
  const rejectionAdditionalInfo = 'Page 2 is missing.'
  const { json } = await simulate({ cardAccountId, action: 'reject', rejectedReason, rejectionAdditionalInfo })
  expect(json).toMatchObject({ status: 'rejected', rejectedReason, rejectionAdditionalInfo })
  expect(await eventsSince(service, since)).toEqual([
    {
      event: 'cardaccount.client-identity.rejected',
      data: { cardAccountId, xid: null, rejectedReason, rejectionAdditionalInfo },
    },
  ])
})

test('rejection without a reason takes the first of the list', async () => {
  const { cardAccountId } = await openAccount(service)
  const since = await lastEvent(service)
  expect((await simulate({ cardAccountId, action: 'reject' })).json).toMatchObject({
    status: 'rejected',
    rejectedReason: rejectionReasons[0],
    rejectionAdditionalInfo: null,
  })
  expect(await eventsSince(service, since)).toMatchObject([
    { data: { rejectedReason: rejectionReasons[0], rejectionAdditionalInfo: '' } },
  ])
})

test('either outcome follows from any status', async () => {
  const { cardAccountId } = await openAccount(service)
  for (const action of ['approve', 'reject', 'reject', 'approve', 'approve']) {
    const { json } = await simulate({ cardAccountId, action })
    expect(json.status).toBe(action === 'approve' ? 'approved' : 'rejected')
    expect(json.rejectedReason === null).toBe(action === 'approve')
  }
})

test('a rejected identity is pending after it was submitted again, with the new data', async () => {
  const { cardAccountId } = await openAccount(service)
  await simulate({ cardAccountId, action: 'reject', rejectionAdditionalInfo: 'Blurred.' })
  const { status, json } = await resubmit(cardAccountId, { ...individual, lastName: 'Chan', occupation: 'teacher' })
  expect(status).toBe(200)
  expect(json).toMatchObject({
    status: 'pending',
    rejectedReason: null,
    rejectionAdditionalInfo: null,
    individual: { lastName: 'C***', occupation: 'teacher' },
  })
  expect(json).toEqual((await read(cardAccountId)).json)
})

test.each(['pending', 'approved'])('an identity that is %s cannot be submitted again', async (before) => {
  const { cardAccountId } = await openAccount(service)
  if (before === 'approved') await simulate({ cardAccountId, action: 'approve' })
  expect(await resubmit(cardAccountId)).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  expect((await read(cardAccountId)).json).toMatchObject({ status: before })
})

test('refuses unknown accounts, actions and reasons', async () => {
  const { cardAccountId } = await openAccount(service)
  for (const response of [
    await read(unknownId),
    await resubmit(unknownId),
    await simulate({ cardAccountId: unknownId, action: 'approve' }),
  ]) {
    expect(response).toMatchObject({ status: 404, json: { code: 'CARD_ACCOUNT_NOT_FOUND' } })
  }
  for (const given of [{ action: 'maybe' }, {}, { action: 'reject', rejectedReason: 'I do not like it' }]) {
    expect(await simulate({ cardAccountId, ...given })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_PARAMETERS' },
    })
  }
  expect((await read(cardAccountId)).json).toMatchObject({ status: 'pending' })
})
