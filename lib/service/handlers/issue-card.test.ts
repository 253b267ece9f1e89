import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hourMs } from '#lib/shared/time.ts'
import { isLuhnValid, openCardNumber } from '../card-number.ts'
import { cards } from '../tables/cards.ts'
import {
  eventsSince,
  lastEvent,
  openAccount,
  findProductId,
  transactionRecord,
  unknownId,
} from '../testing-accounts.ts'
import { openTestService, testCardNumberKey, type TestService } from '../testing.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ seeded: 1 })
})

afterAll(() => service.close())

async function issue(type: 'virtual' | 'physical', given: Record<string, unknown> = {}) {
  const { cardAccountId } = await openAccount(service)
  const body = {
    type,
    cardAccountId,
    productId: await findProductId(service, type),
    embossedName: 'LEE KA-YAN',
    ...given,
  }
  return service.call('issueCard', { body })
}

async function read(cardAccountId: string, cardId: string) {
  return (await service.call('listCards', { query: { cardAccountId, cardId } })).json.cards[0]
}

test('a virtual card is active at once', async () => {
  const { status, json } = await issue('virtual', { xid: 'CARD-1', xmetadata: ['travel'] })
  expect(status).toBe(200)
  expect(json).toMatchObject({
    status: 'active',
    embossedName: 'LEE KA-YAN',
    network: 'card_network_1',
    product: { cardType: 'virtual' },
    xid: 'CARD-1',
    xmetadata: ['travel'],
    replacedBy: null,
    mobile: '+85251234567',
    cardEmail: 'siu.ming@example.com',
  })
  expect(await read(json.cardAccountId, json.id)).toEqual(json)
})

describe('its own limits never bind below the account’s limit', () => {
  const responseOf = async (cardAccountId: string, cardId: string, amount: number) => {
    const body = { cardAccountId, cardId, amount, currency: 'HKD' }
    const { json } = await service.call('simulateAuthorization', { body })
    return (await transactionRecord(service, cardAccountId, json.cardTransactionId)).authorization.responseMessage
  }

  test('whatever that is', async () => {
    const { cardAccountId } = await openAccount(service, { limit: 999_999_999_999 })
    const { json } = await issue('virtual', { cardAccountId })
    expect(json).toMatchObject({ availableLimit: 999_999_999_999, cardLimit: 999_999_999_999_999 })
  })

  test('whatever that becomes', async () => {
    const { cardAccountId, cardId } = await openAccount(service, { limit: 500_000 })
    await service.call('setFixedLimit', { body: { cardAccountId, limit: 5_000_000 } })
    expect(await responseOf(cardAccountId, cardId, 2_000_000)).toBe('Approved')
  })

  test('however often it is used up in a day', async () => {
    const { cardAccountId, cardId } = await openAccount(service, { limit: 600_000 })
    expect(await responseOf(cardAccountId, cardId, 600_000)).toBe('Approved')
    await service.call('simulateRepay', { body: { cardAccountIds: [cardAccountId] } })
    expect(await responseOf(cardAccountId, cardId, 600_000)).toBe('Approved')
    expect(await responseOf(cardAccountId, cardId, 0.01)).toBe('Insufficient available balance')
  })
})

test.each(['ÅSA ÖBERG-LÜ', 'José Peña', 'e\u0301', 'O'.repeat(22)])('the name %s is embossed', async (embossedName) => {
  expect(await issue('virtual', { embossedName })).toMatchObject({ status: 200, json: { embossedName } })
})

test('a wrong name and an unknown product are reported together where the product can be looked up', async () => {
  const name = 'embossedName: must be 1 to 22 Latin letters, spaces or hyphens, with at least one letter'
  expect((await issue('virtual', { productId: unknownId, embossedName: '1' })).json).toEqual({
    code: 'INVALID_PARAMETERS',
    message: `${name}; productId: must be a product for virtual cards`,
  })
  expect((await issue('virtual', { type: 'metal', productId: unknownId })).json.message).toBe(
    'type: must be virtual or physical; productId: must be a product',
  )
  expect((await issue('virtual', { productId: 'x', embossedName: '1' })).json.message).toBe(
    `productId: must be a UUID; ${name}`,
  )
})

test('a physical card is pending-issue, after 5 days pending-activation, with an event for each', async () => {
  const since = await lastEvent(service)
  const { json } = await issue('physical')
  expect(json.status).toBe('pending-issue')
  await service.control('POST', '/clock', { advance: 'P4DT23H59M59S' })
  expect((await read(json.cardAccountId, json.id)).status).toBe('pending-issue')
  await service.control('POST', '/clock', { advance: 'PT1S' })
  const produced = await read(json.cardAccountId, json.id)
  expect(produced.status).toBe('pending-activation')
  const events = (await eventsSince(service, since)).filter(({ data }) => data.id === json.id)
  expect(events).toEqual([
    { event: 'card.updated', data: json },
    { event: 'card.updated', data: produced },
  ])
})

test('a card that is cancelled in production stays cancelled', async () => {
  const { json } = await issue('physical')
  await service.call('cancelCard', { body: { cardAccountId: json.cardAccountId, cardId: json.id } })
  await service.control('POST', '/clock', { advance: 'P6D' })
  expect((await read(json.cardAccountId, json.id)).status).toBe('cancelled')
})

test('an issued card is activated with the digits of its number', async () => {
  const { json } = await issue('physical')
  await service.control('POST', '/clock', { advance: 'P5D' })
  const [row] = await service.service.db.select().from(cards).where(eq(cards.id, json.id))
  if (!row) throw new Error('the card is gone')
  const number = openCardNumber(row.sealedNumber, row.id, testCardNumberKey)
  expect(isLuhnValid(number)).toBe(true)
  expect(number.slice(-4)).toBe(json.last4)
  const { expiryMonth, expiryYear, cardAccountId } = json
  const body = { cardAccountId, cardId: json.id, last6: number.slice(-6), expiryMonth, expiryYear }
  expect((await service.call('activateCard', { body })).json).toMatchObject({ status: 'active' })
})

test('is issued in every identity status of the account', async () => {
  for (const action of ['approve', 'reject']) {
    const { cardAccountId } = await openAccount(service)
    await service.call('simulateClientIdentityStatus', { body: { cardAccountId, action } })
    expect((await issue('virtual', { cardAccountId })).status).toBe(200)
  }
})

test.each([
  ['an unknown account', { cardAccountId: unknownId }, 404, 'CARD_ACCOUNT_NOT_FOUND'],
  ['an unknown product', { productId: unknownId }, 400, 'INVALID_PARAMETERS'],
  ['a name of 23 letters', { embossedName: 'A'.repeat(23) }, 400, 'INVALID_PARAMETERS'],
  ['a name with digits', { embossedName: 'LEE 2' }, 400, 'INVALID_PARAMETERS'],
  ['a name without letters', { embossedName: ' - ' }, 400, 'INVALID_PARAMETERS'],
  ['a Chinese name', { embossedName: '李嘉欣' }, 400, 'INVALID_PARAMETERS'],
  ['a Cyrillic name', { embossedName: 'ИВАН' }, 400, 'INVALID_PARAMETERS'],
  ['an Arabic name', { embossedName: 'محمد' }, 400, 'INVALID_PARAMETERS'],
  ['a Latin name with one Cyrillic letter', { embossedName: 'LЕЕ' }, 400, 'INVALID_PARAMETERS'],
  ['an accent without its letter', { embossedName: 'LEE-\u0301' }, 400, 'INVALID_PARAMETERS'],
  ['a name of two lines', { embossedName: 'LEE\nKA' }, 400, 'INVALID_PARAMETERS'],
  ['no name', { embossedName: '' }, 400, 'INVALID_PARAMETERS'],
  ['a type that nobody knows', { type: 'metal' }, 400, 'INVALID_PARAMETERS'],
  ['an xid that another resource has', { xid: 'EMP-1001' }, 409, 'XID_ALREADY_EXISTS'],
])('refuses %s', async (_, given, status, code) => {
  expect(await issue('virtual', given)).toMatchObject({ status, json: { code } })
})

test('refuses a product of the other type', async () => {
  const productId = await findProductId(service, 'physical')
  expect(await issue('virtual', { productId })).toMatchObject({ status: 400, json: { code: 'INVALID_PARAMETERS' } })
})

test('a card that is issued in the first hours of a month in Hong Kong has that month', async () => {
  const now = Date.parse((await service.control('GET', '/clock')).json.now)
  const today = new Date(now + 7 * hourMs)
  const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1))
  const to = new Date(month.getTime() - 7 * hourMs)
  expect(await service.control('POST', '/clock', { to, freeze: true })).toMatchObject({ status: 200 })
  expect((await issue('virtual')).json).toMatchObject({
    expiryMonth: month.getUTCMonth() + 1,
    expiryYear: month.getUTCFullYear() + 4,
  })
})
