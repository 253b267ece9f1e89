import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { occupations, positions } from '#lib/contract/occupations.ts'
import { exampleIndividual as individual } from '#lib/contract/test-values.ts'
import { accountRecord, eventsSince, lastEvent, newAccount } from '../testing-accounts.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ seeded: 1 })
})

afterAll(() => service.close())

const create = (body: unknown) => service.call('createCardAccount', { body })
const of = (given: Record<string, unknown>) => create({ ...newAccount, individual: { ...individual, ...given } })
const file = 'data:image/png;base64,iVBORw0KGgo='

test('a new account has balance 0, a pending identity, and what it was given', async () => {
  const since = await lastEvent(service)
  const { status, json } = await create({ ...newAccount, xid: 'EMP-1', xmetadata: { department: 'Sales' } })
  expect(status).toBe(200)
  expect(json).toEqual({
    id: expect.any(String),
    xid: 'EMP-1',
    xmetadata: { department: 'Sales' },
    name: 'Wong Siu Ming',
    phoneNumber: '+85251234567',
    identityType: 'individual',
    accountType: 'credit',
    currency: 'HKD',
    limit: 1000,
    balance: 0,
    outstanding: 0,
    available: 1000,
    disputeAmount: 0,
    clientIdentityStatus: 'pending',
    createdAt: expect.any(String),
  })
  expect(await accountRecord(service, json.id)).toEqual(json)
  expect(await eventsSince(service, since)).toEqual([{ event: 'cardaccount.created', data: json }])
})

test('without a limit it is 0; a prepaid account never has one', async () => {
  const { limit: _, ...unlimited } = newAccount
  expect((await create(unlimited)).json).toMatchObject({ limit: 0, available: 0 })
  expect((await create({ ...unlimited, accountType: 'prepaid' })).json).toMatchObject({ limit: 0, available: 0 })
  const prepaid = await create({ ...newAccount, accountType: 'prepaid' })
  expect(prepaid).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  expect(prepaid.json.message).toContain('limit')
})

test('an xid that any resource has is refused with 409 XID_ALREADY_EXISTS', async () => {
  expect((await create({ ...newAccount, xid: 'EMP-2' })).status).toBe(200)
  expect(await create({ ...newAccount, xid: 'EMP-2' })).toMatchObject({
    status: 409,
    json: { code: 'XID_ALREADY_EXISTS' },
  })
  expect(await create({ ...newAccount, xid: 'EMP-1001-CARD' })).toMatchObject({ status: 409 })
  const atOnce = await Promise.all(Array.from({ length: 8 }, () => create({ ...newAccount, xid: 'EMP-3' })))
  expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
})

describe('supporting documents', () => {
  const front = { documentType: 'TRAVEL_PERMIT_FRONT', file }
  const back = { documentType: 'TRAVEL_PERMIT_BACK', file }
  const visa = { documentType: 'VISA', file }

  test.each([
    ['a Hong Kong cardholder without any', { nationality: 'HK' }],
    ['both sides of the travel permit', { nationality: 'CN', supportingDocuments: [front, back] }],
    ['another document', { nationality: 'IN', supportingDocuments: [visa] }],
    ['a Hong Kong cardholder with some', { nationality: 'HK', supportingDocuments: [visa] }],
  ])('accepts %s', async (_, given) => {
    const response = await of(given)
    expect(response.status, response.text).toBe(200)
  })

  test.each([
    ['nothing from a foreigner', { nationality: 'CN' }, 'required when nationality is not HK'],
    [
      'an empty list from a foreigner',
      { nationality: 'CN', supportingDocuments: [] },
      'required when nationality is not HK',
    ],
    ['the front alone', { nationality: 'CN', supportingDocuments: [front] }, 'TRAVEL_PERMIT_BACK'],
    ['the back alone', { nationality: 'CN', supportingDocuments: [back] }, 'TRAVEL_PERMIT_FRONT'],
    ['the front alone beside a visa', { nationality: 'CN', supportingDocuments: [front, visa] }, 'TRAVEL_PERMIT_BACK'],
    [
      'TRAVEL_PERMIT, and says what replaced it',
      { nationality: 'CN', supportingDocuments: [{ documentType: 'TRAVEL_PERMIT', file }] },
      'replaced by TRAVEL_PERMIT_FRONT and TRAVEL_PERMIT_BACK',
    ],
    ['a type that nobody knows', { supportingDocuments: [{ documentType: 'SELFIE', file }] }, 'documentType'],
    [
      'a file that is no data URI',
      { supportingDocuments: [{ documentType: 'VISA', file: '/etc/passwd' }] },
      'data URI',
    ],
  ])('refuses %s', async (_, given, reason) => {
    const response = await of(given)
    expect(response).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
    expect(response.json.message).toContain(reason)
  })
})

test.each(Object.keys(individual))('refuses an individual without %s', async (field) => {
  const { [field]: _, ...incomplete } = individual as Record<string, unknown>
  const response = await create({ ...newAccount, individual: incomplete })
  expect(response).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  expect(response.json.message).toContain(`individual.${field}: is required`)
})

test.each([
  ['gender', 'X'],
  ['nationality', 'hk'],
  ['nationality', 'ZZ'],
  ['nationality', 'HKG'],
  ['occupation', 'astronaut'],
  ['position', 'emperor'],
  ['dateOfBirth', '1990-02-30'],
  ['dateOfBirth', '28/02/1990'],
  ['email', 'not an address'],
  ['mobile', '91234567'],
  ['address', ' '],
  ['document', { ...individual.document, type: 'LIBRARY_CARD' }],
  ['document', { ...individual.document, country: 'XX' }],
  ['document', { ...individual.document, expiryDate: '2030-13-01' }],
])('refuses the %s %j', async (field, value) => {
  const response = await of({ [field]: value })
  expect(response).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  expect(response.json.message).toContain(`individual.${field}`)
})

test('reports everything that is wrong together, and makes nothing', async () => {
  const before = await service.service.db.$count((await import('../tables/card-accounts.ts')).cardAccounts)
  const response = await create({
    name: '',
    phoneNumber: '12',
    identityType: 'business',
    accountType: 'debit',
    currency: 'hkd',
    limit: -1,
    xid: '',
    individual: { nationality: 'CN', occupation: 'astronaut', gender: 'X', document: {} },
  })
  expect(response.status).toBe(400)
  for (const field of [
    'name',
    'phoneNumber',
    'identityType',
    'accountType',
    'currency',
    'limit',
    'xid',
    'individual.firstName',
    'individual.lastName',
    'individual.dateOfBirth',
    'individual.email',
    'individual.mobile',
    'individual.occupation',
    'individual.position',
    'individual.gender',
    'individual.address',
    'individual.document.type',
    'individual.document.number',
    'individual.document.country',
    'individual.document.expiryDate',
    'individual.supportingDocuments',
  ]) {
    expect(response.json.message).toContain(`${field}: `)
  }
  expect(await service.service.db.$count((await import('../tables/card-accounts.ts')).cardAccounts)).toBe(before)
})

test.each([
  ['limit', -0.01],
  ['limit', 1e12],
  ['limit', '10'],
  ['currency', 'XXX'],
])('refuses the %s %j', async (field, value) => {
  const response = await create({ ...newAccount, [field]: value })
  expect(response).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
  expect(response.json.message).toContain(field)
})

test('the lists have every code that is accepted', async () => {
  expect((await service.call('listOccupations')).json).toEqual({ occupations })
  expect((await service.call('listPositions')).json).toEqual({ positions })
  for (const { code: occupation } of occupations) expect((await of({ occupation })).status).toBe(200)
  for (const { code: position } of positions) expect((await of({ position })).status).toBe(200)
})
