import { describe, expect, test } from 'vitest'
import { compareAll } from './compare.ts'
import { ExpressionError, parseExpression, resolve } from './expressions.ts'

const scope = {
  account: { balance: 0.3, cards: [{ id: 'a' }, { id: 'b', status: 'locked' }], 'x-y': 'odd' },
  n: 2,
  text: 'abcdef',
}

describe('expressions', () => {
  test.each([
    ['${account.balance}', 0.3],
    ['${account.cards[1].id}', 'b'],
    ["${account['x-y']}", 'odd'],
    ['${account.cards[n - 1].id}', 'b'],
    ['${0.1 + 0.2}', 0.3],
    ['${account.balance - 0.1 - 0.1}', 0.1],
    ["${find(account.cards, 'status', 'locked').id}", 'b'],
    ["${find(account.cards, 'status', 'locked')}", { id: 'b', status: 'locked' }],
    ['${length(account.cards)}', 2],
    ['n is ${n}, balance ${account.balance}', 'n is 2, balance 0.3'],
    ['no expression', 'no expression'],
  ])('%s', (template, expected) => {
    expect(resolve(template, scope)).toEqual(expected)
  })

  test('a value keeps its type, at any depth', () => {
    expect(resolve({ a: ['${n}', { b: '${account.cards}' }] }, scope)).toEqual({ a: [2, { b: scope.account.cards }] })
  })

  test.each([
    ['${nothing}', 'there is no value nothing'],
    ['${account.cards[7].id}', 'account.cards[7].id has no value'],
    ['${account.toString}', 'account.toString has no value'],
    ['${text + 2}', '"abcdef" is not a number'],
    [
      '${account.cards[account].id}',
      `${JSON.stringify({ balance: 0.3, cards: [{ id: 'a' }, { id: 'b', status: 'locked' }], 'x-y': 'odd' })} is neither a field nor an index`,
    ],
    ["${find(account.cards, 'id', 'z')}", 'no item of the list has id "z"'],
  ])('%s: %s', (template, message) => {
    expect(() => resolve(template, scope)).toThrow(new ExpressionError(message))
  })

  test.each([
    ['process.exit()', '( isn’t expected here'],
    ['a b', 'b isn’t expected here'],
    ['1 +', 'a value is expected here'],
    ["'open", "' isn’t part of an expression"],
    ['a[', 'a value is expected here'],
    ['a[1', '] is missing'],
    ['a.b.', 'a field is expected here'],
    ['find(1)', 'find takes 3 values, not 1'],
    ['a * 2', '* isn’t part of an expression'],
    ['a / 2', '/ isn’t part of an expression'],
    ['(a + 1)', '( isn’t expected here'],
    ['-a', '- isn’t expected here'],
    ['upper(a)', 'upper isn’t a function; there are omit, uuid, length, find'],
    ['a;b', '; isn’t part of an expression'],
    ['{}', '{ isn’t part of an expression'],
  ])('%s is no expression: %s', (source, message) => {
    expect(parseExpression(source)).toEqual({ ok: false, error: message })
  })
})

describe('what was expected and what was found', () => {
  const found = {
    status: 200,
    body: { balance: 100.5, status: 'active', limit: null, cards: [{ id: 'a' }, { id: 'b' }], note: 'Card was locked' },
  }
  test.each([
    [{ status: 200, 'body.status': 'active' }],
    [{ body: { balance: 100.5, limit: null } }],
    [{ 'body.cards': [{ id: 'a' }, { id: 'b' }] }],
    [{ 'body.cards[1].id': 'b' }],
    [{ 'body.cards': { $length: 2, $contains: { id: 'b' } } }],
    [{ 'body.note': { $like: 'Card * lock*' } }],
    [{ 'body.note': { $contains: 'was' } }],
    [{ body: { balance: { $atLeast: 100.5, $atMost: 100.5 } } }],
    [{ 'body.status': { $oneOf: ['locked', 'active'] } }],
    [{ 'body.status': { $not: 'locked' } }],
    [{ 'body.status': { $present: true }, 'body.limit': { $present: false }, 'body.gone': { $absent: true } }],
  ])('%j is met', (expected) => {
    expect(compareAll(found, expected)).toEqual([])
  })

  test.each([
    [{ status: 400 }, { path: 'status', expected: '400', found: '200' }],
    [{ 'body.status': 'locked' }, { path: 'body.status', expected: '"locked"', found: '"active"' }],
    [{ body: { balance: 100.51 } }, { path: 'body.balance', expected: '100.51', found: '100.5' }],
    [{ body: { balance: '100.5' } }, { path: 'body.balance', expected: '"100.5"', found: '100.5' }],
    [{ 'body.gone': 1 }, { path: 'body.gone', expected: '1', found: 'nothing' }],
    [
      { 'body.cards': [{ id: 'a' }] },
      { path: 'body.cards', expected: '[{"id":"a"}]', found: '[{"id":"a"},{"id":"b"}]' },
    ],
    [{ 'body.cards': [{ id: 'a' }, { id: 'c' }] }, { path: 'body.cards[1].id', expected: '"c"', found: '"b"' }],
    [{ 'body.cards': { $length: 3 } }, { path: 'body.cards length', expected: '3', found: '2' }],
    [
      { 'body.note': { $like: 'Card*un*' } },
      { path: 'body.note', expected: 'text like "Card*un*"', found: '"Card was locked"' },
    ],
    [{ 'body.balance': { $atLeast: 101 } }, { path: 'body.balance', expected: 'at least 101', found: '100.5' }],
    [
      { 'body.status': { $not: 'active' } },
      { path: 'body.status', expected: 'anything but "active"', found: '"active"' },
    ],
    [{ 'body.limit': { $present: true } }, { path: 'body.limit', expected: 'a value', found: 'null' }],
    [{ 'body.status': { $absent: true } }, { path: 'body.status', expected: 'no such field', found: '"active"' }],
    [{ 'body.status': { $oneOf: ['a'] } }, { path: 'body.status', expected: 'one of ["a"]', found: '"active"' }],
    [
      { 'body.cards': { $contains: { id: 'c' } } },
      { path: 'body.cards', expected: 'an item like {"id":"c"}', found: '[{"id":"a"},{"id":"b"}]' },
    ],
  ])('%j differs', (expected, difference) => {
    expect(compareAll(found, expected)).toEqual([difference])
  })
})

test('what is omit() is left out of a map and a list, and kept for the variables of a fragment', () => {
  const value = {
    kept: 1,
    limit: '${omit()}',
    list: ['a', '${omit()}'],
    inner: { gone: '${limit}' },
    text: 'a${omit()}b',
  }
  const { limit } = resolve({ limit: '${omit()}' }, {}, true) as { limit: unknown }
  expect(limit).toBeTypeOf('symbol')
  expect(resolve(value, { limit })).toEqual({ kept: 1, list: ['a'], inner: {}, text: 'ab' })
})
