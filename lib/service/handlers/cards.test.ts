import { randomUUID, scryptSync } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CardAction, cardActions, cardActionTable } from '#lib/contract/card-actions.ts'
import { Card } from '#lib/contract/cards.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { cardStatuses } from '#lib/contract/terms.ts'
import { cards } from '../tables/cards.ts'
import { events } from '../tables/webhooks.ts'
import { addCard, addCardAccount, testCardNumber } from '../testing-records.ts'
import { openTestService, type TestResponse, type TestService } from '../testing.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService()
})
afterAll(() => opened.close())

const endpointOf: Record<CardAction, EndpointName> = {
  lock: 'lockCard',
  unlock: 'unlockCard',
  suspend: 'suspendCard',
  unsuspend: 'unsuspendCard',
  activate: 'activateCard',
  cancel: 'cancelCard',
  'change-pin': 'changeCardPin',
}
const fields = { last6: testCardNumber.slice(-6), expiryMonth: 11, expiryYear: 2030, pin: '839201' }

type Target = { cardAccountId: string; cardId: string }

function act(action: CardAction, target: Target, more: Record<string, unknown> = {}): Promise<TestResponse> {
  return opened.call(endpointOf[action], { body: { ...fields, ...target, ...more } })
}

async function stored(target: Target) {
  const [card] = await opened.service.db.select().from(cards).where(eq(cards.id, target.cardId))
  return card
}

async function eventsOf(target: Target) {
  const all = await opened.service.db.select().from(events).orderBy(events.position)
  return all.filter((event) => event.data.id === target.cardId)
}

describe('the transition table, cell by cell', () => {
  const cells = cardStatuses.flatMap((status) => cardActions.map((action) => ({ status, action })))
  test('has 42 cells', () => expect(cells).toHaveLength(42))

  test.each(cells)('$action of a card that is $status', async ({ status, action }) => {
    const transition = cardActionTable[action].transitions[status]
    const target = await addCard(opened.service.db, { status })
    const response = await act(action, target)
    if ('refused' in transition) {
      expect(response).toMatchObject({
        status: 400,
        json: { statusCode: 400, code: transition.refused, message: expect.any(String) },
      })
      expect((await stored(target))?.status).toBe(status)
      expect(await eventsOf(target)).toEqual([])
      return
    }
    const next = { unchanged: status, 'before-suspension': 'active' }[transition.to as 'unchanged'] ?? transition.to
    expect(response.status).toBe(200)
    expect((await stored(target))?.status).toBe(next)
    const [event, ...others] = await eventsOf(target)
    expect(others).toEqual([])
    expect(event).toMatchObject({ event: 'card.updated', data: { id: target.cardId, status: next } })
    expect(Card.parse(event?.data)).toEqual(event?.data)
    expect(response.json).toEqual(action === 'change-pin' ? {} : event?.data)
  })
})

test('a card that was locked when it was suspended is locked again afterwards, and can then be unlocked', async () => {
  const target = await addCard(opened.service.db, { status: 'active' })
  const steps = [
    ['lock', 'locked'],
    ['suspend', 'suspended'],
    ['unsuspend', 'locked'],
    ['unlock', 'active'],
    ['suspend', 'suspended'],
    ['unsuspend', 'active'],
  ] as const
  for (const [action, status] of steps) expect((await act(action, target)).json).toMatchObject({ status })
})

test('a card of another account or an unknown one is CARD_NUMBER_MISMATCH, on cancel the 500 without a code', async () => {
  const target = await addCard(opened.service.db)
  const strangers = [
    { ...target, cardAccountId: await addCardAccount(opened.service.db) },
    { ...target, cardAccountId: randomUUID() },
    { ...target, cardId: randomUUID() },
  ]
  for (const stranger of strangers) {
    for (const action of cardActions) {
      const { status, json } = await act(action, stranger)
      if (action === 'cancel')
        expect({ status, json }).toEqual({ status: 500, json: { statusCode: 500, message: expect.any(String) } })
      else
        expect({ status, json }).toMatchObject({ status: 400, json: { statusCode: 400, code: 'CARD_NUMBER_MISMATCH' } })
    }
  }
  expect((await stored(target))?.status).toBe('active')
})

test('activation checks status, digits and expiry in this order', async () => {
  const target = await addCard(opened.service.db, { status: 'pending-activation' })
  const wrongDigits = { last6: testCardNumber.slice(-6) === '000000' ? '111111' : '000000' }
  const wrongExpiry = { expiryYear: 2031 }
  expect((await act('activate', target, { ...wrongDigits, ...wrongExpiry })).json.code).toBe('CARD_NUMBER_MISMATCH')
  expect((await act('activate', target, wrongExpiry)).json.code).toBe('CARD_EXPIRY_MISMATCH')
  expect((await act('activate', target, { expiryMonth: 12 })).json.code).toBe('CARD_EXPIRY_MISMATCH')
  expect((await act('activate', target)).json.status).toBe('active')
  expect((await act('activate', target, { ...wrongDigits, ...wrongExpiry })).json.code).toBe('UNPENDING_CARD')
})

test('a PIN is stored as a salted digest alone, and is in no response and no event', async () => {
  const target = await addCard(opened.service.db)
  const other = await addCard(opened.service.db)
  const response = await act('change-pin', target)
  await act('change-pin', other)
  const digest = (await stored(target))?.pinDigest ?? ''
  const [scheme, salt = '', hash] = digest.split(':')
  expect(scheme).toBe('scrypt')
  expect(scryptSync(fields.pin, Buffer.from(salt, 'base64'), 32).toString('base64')).toBe(hash)
  expect((await stored(other))?.pinDigest).not.toBe(digest)
  expect(JSON.stringify([digest, response, await eventsOf(target)])).not.toContain(fields.pin)
  for (const pin of ['12345', '1234567', '12345a', 123456, null]) {
    expect(await act('change-pin', target, { pin })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_PARAMETERS' },
    })
  }
})

test('of 20 locks at once one changes the card, the others find it locked', async () => {
  const target = await addCard(opened.service.db)
  const responses = await Promise.all(Array.from({ length: 20 }, () => act('lock', target)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(responses.filter(({ json }) => json.code === 'CARD_ALREADY_LOCKED')).toHaveLength(19)
  expect(await eventsOf(target)).toHaveLength(1)
})

test('lists the cards of an account and no others', async () => {
  const cardAccountId = await addCardAccount(opened.service.db)
  const createdAt = new Date(2026, 0, 1)
  const own = [
    await addCard(opened.service.db, { cardAccountId, createdAt }),
    await addCard(opened.service.db, { cardAccountId, createdAt: new Date(createdAt.getTime() + 1) }),
  ]
  const list = (query: Record<string, string>) => opened.call('listCards', { query: { cardAccountId, ...query } })
  const ids = ({ json }: TestResponse) => json.cards.map((card: Card) => card.id)
  expect(ids(await list({}))).toEqual([own[1]?.cardId, own[0]?.cardId])
  expect(ids(await list({ cardId: own[0]?.cardId ?? '' }))).toEqual([own[0]?.cardId])
  expect(ids(await list({ cardId: randomUUID() }))).toEqual([])
  expect(await list({ cardAccountId: randomUUID() })).toMatchObject({
    status: 404,
    json: { code: 'CARD_ACCOUNT_NOT_FOUND' },
  })
})
