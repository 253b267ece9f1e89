import { expect, test } from 'vitest'
import { endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { parseJson } from './parse-json.ts'
import { parseRequest } from './parse-request.ts'

const uuid = '11111111-1111-4111-8111-111111111111'

function parse(name: EndpointName, search: string, body?: unknown) {
  return parseRequest({ name, row: endpointRow(name), params: {} }, search, body)
}
function json(text: string | Uint8Array) {
  return parseJson(typeof text === 'string' ? new TextEncoder().encode(text) : text)
}

test('names every wrong field and why, all at once', () => {
  expect(parse('activateCard', '', { cardAccountId: 'x', last6: 12, expiryMonth: 13, expiryYear: '2030' })).toEqual({
    ok: false,
    error:
      'cardAccountId: must be a UUID; cardId: is required; last6: must be a string; expiryMonth: must be 1 to 12; expiryYear: must be a whole number',
  })
  expect(parse('lockCard', '', [])).toEqual({ ok: false, error: 'body: must be an object' })
  expect(parse('lockCard', '', null)).toEqual({ ok: false, error: 'body: must be an object' })
})

test('ignores unknown fields, and takes identifiers in any case', () => {
  const body = { cardAccountId: uuid.toUpperCase(), cardId: uuid, more: { a: 1 } }
  expect(parse('lockCard', 'unknown=1', body)).toMatchObject({
    ok: true,
    value: { body: { cardAccountId: uuid, cardId: uuid } },
  })
})

test('null stands for an absent optional field only where the schema says so', () => {
  const issue = { type: 'virtual', cardAccountId: uuid, productId: uuid, embossedName: 'A B' }
  expect(parse('issueCard', '', { ...issue, xid: null, xmetadata: null }).ok).toBe(true)
  expect(parse('issueCard', '', { ...issue, embossedName: null })).toMatchObject({
    error: 'embossedName: must be a string',
  })
})

test('reads lists of a query repeated or with commas, and refuses a scalar that is given twice', () => {
  const id = `cardAccountId=${uuid}`
  expect(parse('listCardAccountTransactions', `${id}&intent=fee&intent=charge,refund`)).toMatchObject({
    value: { query: { intent: ['fee', 'charge', 'refund'] } },
  })
  expect(parse('listCardAccountTransactions', `${id}&${id}&status=x&pageSize=0`)).toMatchObject({
    ok: false,
    error: expect.stringMatching(
      /^cardAccountId: must be given once; status: must be one of .*; pageSize: must be a whole number of 1 or more$/,
    ),
  })
  expect(parse('listCardAccountTransactions', `${id}&intent=nonsense`)).toMatchObject({
    error: expect.stringMatching(/^intent\.0: must be one of charge, refund/),
  })
  expect(parse('listCardAccounts', 'pageSize=1000')).toMatchObject({ value: { query: { pageSize: 100 } } })
  expect(parse('listCardAccounts', 'xid=%00&cardAccountId=%ff')).toMatchObject({
    error: 'xid: must not contain the character NUL; cardAccountId: must be a UUID',
  })
})

test('names at most a hundred fields', () => {
  const parsed = parse('issueCard', '', {
    type: 'virtual',
    cardAccountId: uuid,
    productId: uuid,
    embossedName: 'A',
    xmetadata: Array.from({ length: 500 }, () => 1),
  })
  expect(parsed.ok).toBe(false)
  expect(JSON.stringify(parsed).length).toBeLessThan(10_000)
})

test.each([
  ['{', 'body: must be JSON in UTF-8'],
  ['', 'body: must be JSON in UTF-8'],
  ['{"a":"\\u0000"}', 'a: must not contain the character NUL'],
  ['{"a":{"b":["x","\\ud800"]}}', 'a.b.1: must not contain half of a surrogate pair'],
  ['{"a\\u0000":1}', 'body: must not have a field whose name must not contain the character NUL'],
  ['{"a":{"__proto__":{"x":1}}}', 'a: must not have a field named __proto__'],
  ['{"a":1e999}', 'a: must be a number that is not out of range'],
])('refuses the body %j', (text, error) => {
  expect(json(text)).toEqual({ ok: false, error })
})

test('refuses bytes that are no UTF-8 and nesting without end', () => {
  expect(json(Uint8Array.of(0x22, 0xff, 0x22)).ok).toBe(false)
  const deep = json(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)
  expect(deep).toMatchObject({ ok: false, error: expect.stringContaining('nested deeper') })
})
