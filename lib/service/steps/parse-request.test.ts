import { expect, test } from 'vitest'
import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import { errorOfIssues } from '../api-error.ts'
import { parseStrictJson } from './parse-json.ts'
import { parseRequest, parseQuery } from './parse-request.ts'

const uuid = '11111111-1111-4111-8111-111111111111'

function parse(name: EndpointName, search: string, body?: unknown) {
  const { request, issues } = parseRequest({ name, row: endpointRow(name), params: {} }, parseQuery(search), body)
  return issues.length === 0 ? { ok: true, value: request } : { ok: false, error: errorOfIssues(issues).message }
}
function json(text: string) {
  return parseStrictJson(new TextEncoder().encode(text))
}
function issuesOf(text: string) {
  const read = json(text)
  return read.ok ? read.value.issues.map(({ path, message }) => `${path}: ${message}`) : []
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

test('null means an absent optional field only where the schema allows it', () => {
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

test.each(['{', ''])('refuses the body %j, which is no JSON', (text) => {
  expect(json(text)).toEqual({ ok: false, error: 'body: must be JSON in UTF-8' })
})

test.each([
  ['{"a":"\\u0000"}', 'a: must not contain the character NUL'],
  ['{"a":{"b":["x","\\ud800"]}}', 'a.b.1: must not contain half of a surrogate pair'],
  ['{"a\\u0000":1}', 'body: must not have a field whose name must not contain the character NUL'],
  ['{"a":{"__proto__":{"x":1}}}', 'a: must not have a field named __proto__'],
  ['{"a":1e999}', 'a: must be a number that is not out of range'],
  ['{"a":{"b":[9007199254740993]}}', 'a.b.0: must have no more digits than a double holds'],
  ['{"a":12345678901234.567}', 'a: must have no more digits than a double holds'],
])('finds the issue of the body %j', (text, issue) => {
  expect(issuesOf(text)).toEqual([issue])
})

test('numbers that a double carries stay as they are, and account numbers have rules of their own', () => {
  const text =
    '{"a":0.10000000000000001,"b":100.09999999999999,"c":6217000010000000000,"accountNumber":6217000010000000017}'
  const value = { a: 0.1, b: 100.09999999999999, c: 6217000010000000000, accountNumber: Number('6217000010000000017') }
  expect(json(text)).toEqual({ ok: true, value: { value, issues: [] } })
})

test('finds every issue in the order of the text, and none in a valid text', () => {
  expect(issuesOf('{"a\\ud800":["\\u0000",{"b":-1e999}],"__proto__":{"c":"\\u0000"},"d":"\\udc00"}')).toEqual([
    'body: must not have a field whose name must not contain half of a surrogate pair',
    'body: must not have a field named __proto__',
    'a\ufffd.0: must not contain the character NUL',
    'a\ufffd.1.b: must be a number that is not out of range',
    'd: must not contain half of a surrogate pair',
  ])
  expect(json('{"a":["é😀",{"b":1e300}]}')).toEqual({
    ok: true,
    value: { value: { a: ['é😀', { b: 1e300 }] }, issues: [] },
  })
})

test('an invalid part is null in the value, and fields named __proto__ are removed', () => {
  const read = json(`{"a":1e999,"__proto__":{"x":1},"deep":${'['.repeat(70)}${']'.repeat(70)}}`)
  const value = read.ok ? read.value.value : undefined
  expect(value).toMatchObject({ a: null })
  expect(Object.keys(value as object)).toEqual(['a', 'deep'])
  expect(JSON.stringify(value)).toContain(`${'['.repeat(63)}null`)
})

test('refuses bytes that are no UTF-8 and nesting without end', () => {
  expect(parseStrictJson(Uint8Array.of(0x22, 0xff, 0x22)).ok).toBe(false)
  expect(issuesOf(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)).toEqual([
    expect.stringMatching(/^0\.0.*: must not be nested deeper than 64 levels$/),
  ])
})

test('a hundred thousand issues take little time and memory', () => {
  const issues = issuesOf(`["${'x'.repeat(300_000)}"${',"\\u0000"'.repeat(60_000)}]`)
  expect(issues).toHaveLength(1000)
  expect(issuesOf(`{"${'k'.repeat(10_000)}":[${'"\\u0000",'.repeat(5_000)}1]}`).join('').length).toBeLessThan(300_000)
})
