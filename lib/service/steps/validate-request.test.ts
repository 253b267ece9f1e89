import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpointNames, endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { examples } from '../testing-examples.ts'
import { addCard } from '../testing-records.ts'
import { openTestService, type TestService } from '../testing.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ seeded: 20 })
})
afterAll(() => opened.close())

/** The fields that an error names. */
async function namedBy(name: EndpointName, input: Parameters<TestService['call']>[1]): Promise<string[]> {
  const { status, json } = await opened.call(name, input)
  expect(status, JSON.stringify(json)).toBe(400)
  return (json.message as string).split('; ').map((part) => part.split(':')[0] ?? '')
}

const posts = endpointNames.filter((name) => endpointRow(name).method === 'POST')

test.each(posts)('%s: issues of several texts hide no other issue', async (name) => {
  const body = { flaw: '\0', other: ['\ud800'], huge: 1 }
  const text = JSON.stringify(body).replace('"huge":1', '"huge":1e999')
  const { json } = await opened.send('POST', endpointRow(name).path, {
    body: text,
    headers: { 'content-type': 'application/json' },
  })
  const shape = await namedBy(name, { body: {} })
  const named = (json.message as string).split('; ').map((part) => part.split(':')[0])
  expect(named).toEqual(['flaw', 'other.0', 'huge', ...shape])
})

test('an unstorable text is reported for that alone, beside shapes and rules', async () => {
  const { json } = await opened.call('quotePayout', {
    body: {
      method: 'BANK_TRANSFER',
      accountId: 'x\0',
      sourceCurrency: 'HKD',
      sourceAmount: -1,
      destinationCountry: 'US',
      destinationCurrency: 'USD',
      source: { email: '\udc00' },
    },
  })
  expect(json).toEqual({
    code: 'INVALID_PARAMETERS',
    message: [
      'accountId: must not contain the character NUL',
      'source.email: must not contain half of a surrogate pair',
      'sourceAmount: must be greater than 0',
      'destinationCountry: must be one of HK, PH, IN, ID, KR for BANK_TRANSFER',
      'destinationCurrency: must be one of CNH, HKD, PHP, INR, IDR, KRW for BANK_TRANSFER',
    ].join('; '),
  })
})

test('a body that is wrong as a whole is reported for that alone', async () => {
  for (const body of [[], 5, '\0']) {
    expect(await namedBy('validatePayout', { body })).toEqual(['body'])
  }
})

test('a wrong idempotency key is reported together with what is wrong with the body, and nothing is stored under it', async () => {
  const wrong = { body: { cardAccountId: 'x' }, headers: { 'idempotency-key': ' ' } }
  expect(await namedBy('lockCard', wrong)).toEqual(['Idempotency-Key', 'cardAccountId', 'cardId'])
  const body = { quoteId: randomUUID(), idempotencyKey: 'one' }
  expect(await namedBy('executePayout', { body, headers: { 'idempotency-key': 'two' } })).toEqual([
    'idempotencyKey',
    'destination',
    'purpose',
    'sourceOfFunds',
  ])
  const half = { method: 'BANK_TRANSFER', idempotencyKey: '\ud800' }
  expect(await namedBy('quotePayout', { body: half })).toContain('idempotencyKey')
  expect(await namedBy('quotePayout', { body: { ...half, idempotencyKey: '\ud801' } })).toContain('idempotencyKey')
})

/** Lists with more than one page, of which the examples name one record. */
const longLists: Partial<typeof examples> = {
  listCardAccounts: () => ({ query: {} }),
  listCards: async ({ service: { db } }) => {
    const { cardAccountId } = await addCard(db)
    await addCard(db, { cardAccountId })
    return { query: { cardAccountId } }
  },
}

const lists = endpointNames.filter((name) => 'pageToken' in (endpointRow(name).query?.shape ?? {}))

test.each(lists)('%s: a bad page token is reported together with a bad page size, a good one is not', async (name) => {
  const { query = {} } = await (longLists[name] ?? examples[name])(opened)
  const bad = { ...query, pageSize: '0', pageToken: 'nonsense' }
  expect(await namedBy(name, { query: bad })).toEqual(['pageSize', 'pageToken'])
  const xid = { ...query, pageToken: 'nonsense', dateRangeFrom: 'x', xid: '' }
  expect((await namedBy(name, { query: xid })).at(-1)).toBe('pageToken')

  const { nextPageToken } = (await opened.call(name, { query: { ...query, pageSize: '1' } })).json
  expect(nextPageToken).toEqual(expect.any(String))
  expect(await namedBy(name, { query: { ...query, pageSize: '0', pageToken: nextPageToken } })).toEqual(['pageSize'])
  const elsewhere = lists.find((other) => other !== name) ?? name
  const otherQuery = { ...(await examples[elsewhere](opened)).query, pageSize: '0', pageToken: nextPageToken }
  expect(await namedBy(elsewhere, { query: otherQuery })).toEqual(['pageSize', 'pageToken'])
})
