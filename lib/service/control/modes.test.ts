import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAccount, transactionRecord } from '../testing-accounts.ts'
import { addCard } from '../testing-records.ts'
import { openTestService, type TestService } from '../testing.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ seeded: 3 })
})
afterAll(() => opened.close())
beforeEach(async () => {
  await opened.control('DELETE', '/modes')
})

const usual = { ignoreIdempotencyKeys: false, replay: 'marked', idForm: 'uuid' }
const set = (modes: unknown) => opened.control('POST', '/modes', modes)

async function charging() {
  const account = await openAccount(opened)
  const key = randomUUID()
  return async () => {
    const body = { ...account, amount: 5, currency: 'HKD' }
    return opened.call('simulateAuthorization', { body, headers: { 'idempotency-key': key } })
  }
}

test('a mode stays until it is set again or removed; what is not named stays as it is', async () => {
  expect((await opened.control('GET', '/modes')).json).toEqual(usual)
  expect((await set({ ignoreIdempotencyKeys: true })).json).toEqual({ ...usual, ignoreIdempotencyKeys: true })
  expect((await set({ idForm: 'upper-case' })).json).toEqual({
    ...usual,
    ignoreIdempotencyKeys: true,
    idForm: 'upper-case',
  })
  expect((await opened.control('DELETE', '/modes')).json).toEqual(usual)
})

test('ignoreIdempotencyKeys: a repeated request is executed again', async () => {
  await set({ ignoreIdempotencyKeys: true })
  const charge = await charging()
  const [first, second] = [await charge(), await charge()]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.json.cardTransactionId).not.toBe(first.json.cardTransactionId)
  expect(second.headers.get('idempotency-replayed')).toBeNull()

  await set({ ignoreIdempotencyKeys: false })
  expect((await charge()).headers.get('idempotency-replayed')).toBeNull()
  expect((await charge()).headers.get('idempotency-replayed')).toBe('true')
})

test('ignoreIdempotencyKeys header: a key in the body still counts', async () => {
  await set({ ignoreIdempotencyKeys: 'header' })
  const { accounts } = (await opened.call('listAccounts')).json
  const idempotencyKey = randomUUID()
  const body = {
    method: 'BANK_TRANSFER',
    accountId: accounts[0].id,
    sourceCurrency: accounts[0].currency,
    sourceAmount: 100,
    destinationCountry: 'PH',
    destinationCurrency: 'PHP',
    idempotencyKey,
  }
  const quote = (key: string) => opened.call('quotePayout', { body, headers: { 'idempotency-key': key } })
  const first = await quote('another')
  expect(first.status, first.text).toBe(200)
  expect((await quote(idempotencyKey)).json.id).toBe(first.json.id)
  const charge = await charging()
  expect((await charge()).json).not.toEqual((await charge()).json)
})

test('replay: unmarked and refused hide that the response was stored', async () => {
  const charge = await charging()
  const first = await charge()
  await set({ replay: 'unmarked' })
  const unmarked = await charge()
  expect([unmarked.text, unmarked.headers.get('idempotency-replayed')]).toEqual([first.text, null])
  await set({ replay: 'refused' })
  expect(await charge()).toMatchObject({ status: 409, json: { code: 'IDEMPOTENCY_CONFLICT' } })
  await set({ replay: 'marked' })
  expect((await charge()).headers.get('idempotency-replayed')).toBe('true')
})

test.each([
  ['upper-case', /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/],
  ['prefixed', /^id_[0-9a-f]{32}$/],
  ['in-braces', /^\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$/],
])('idForm %s: responses write identifiers so, and requests may use them', async (idForm, pattern) => {
  const account = await openAccount(opened)
  await set({ idForm })
  const [{ id: cardAccountId }] = (await opened.call('listCardAccounts', { query: account })).json.cardaccounts
  const [card] = (await opened.call('listCards', { query: { cardAccountId } })).json.cards
  for (const id of [cardAccountId, card.id, card.cardAccountId, card.product.id]) expect(id).toMatch(pattern)
  const body = { cardAccountId, cardId: card.id }
  expect((await opened.call('lockCard', { body })).json).toMatchObject({ id: card.id, status: 'locked' })
  await opened.call('unlockCard', { body: account })
  const charge = await opened.call('simulateAuthorization', { body: { ...body, amount: 5, currency: 'HKD' } })
  const record = await transactionRecord(opened, cardAccountId, charge.json.cardTransactionId)
  expect(record).toMatchObject({ id: charge.json.cardTransactionId, cardAccountId, cardId: card.id })
  const target = { target: { type: 'cardaccount', id: cardAccountId }, xid: randomUUID() }
  expect((await opened.call('setXmetadata', { body: target })).json).toMatchObject(target)
})

test.each([
  [{ ignoreIdempotencyKeys: 'yes' }, 'ignoreIdempotencyKeys: must be true, false or header'],
  [{ replay: 'no' }, 'replay: must be one of marked, unmarked, refused'],
  [{ idForm: 5 }, 'idForm: must be one of uuid, upper-case, prefixed, in-braces'],
  [{ idform: 'uuid' }, 'idform'],
  [[], 'body: must be'],
])('%j is refused: %s', async (modes, problem) => {
  const { status, json } = await set(modes)
  expect([status, json.code]).toEqual([400, 'INVALID_PARAMETERS'])
  expect(json.message).toContain(problem)
  expect((await opened.control('GET', '/modes')).json).toEqual(usual)
})

test('reset removes modes and faults', async () => {
  await set({ ignoreIdempotencyKeys: true })
  await opened.control('POST', '/faults', { path: '/ping', status: 500, times: 'always' })
  expect((await opened.control('POST', '/reset')).status).toBe(200)
  expect((await opened.control('GET', '/modes')).json).toEqual(usual)
  expect((await opened.control('GET', '/faults')).json).toEqual({ faults: [] })
  expect(await addCard(opened.service.db)).toBeDefined()
})
