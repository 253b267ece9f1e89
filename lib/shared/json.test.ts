import { expect, test } from 'vitest'
import { canonicalJson, deepestLevels, indentedJson, parseJson } from './json.ts'

test.each([
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740993', '9007199254740993'],
  ['-12345678901234567890', '-12345678901234567890'],
  ['"12345678901234567890"', '12345678901234567890'],
  ['0.12345678901234567890', 0.12345678901234568],
  ['1e21', 1e21],
])('a number keeps its digits, as text where a script would round it: %s', (source, value) => {
  expect(parseJson(`{"id":[${source}],"other":1234567890123456}`)).toEqual({ id: [value], other: 1234567890123456 })
})

test.each([
  ['{"address":"6780 Ayala Avenue, Makati [2]: a \\"b\\" }","amount":1.5}'],
  ['[ 1, { "text": "one,  two" } ]'],
])('JSON is indented, and its texts keep their spaces: %s', (text) => {
  expect(indentedJson(text)).toContain('\n  ')
  expect(JSON.parse(indentedJson(text))).toEqual(JSON.parse(text))
})

test.each([['{"amount":1.10}'], ['{"id":12345678901234567890}'], ['no JSON']])(
  'text that a script would change stays as it is: %s',
  (text) => {
    expect(indentedJson(text)).toBe(text)
  },
)

test('JSON that is deeper than a script can walk stays as it is', () => {
  const text = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
  expect(indentedJson(text(deepestLevels))).toContain('\n  ')
  for (const levels of [deepestLevels + 1, 400_000]) expect(indentedJson(text(levels))).toBe(text(levels))
})

test('the order of keys makes no difference to what a value is, anything else does', () => {
  expect(canonicalJson({ b: [1, { d: 1, c: 2 }], a: null })).toBe(canonicalJson({ a: null, b: [1, { c: 2, d: 1 }] }))
  expect(canonicalJson(['a', 'b'])).not.toBe(canonicalJson(['b', 'a']))
  expect(canonicalJson({ a: '1' })).not.toBe(canonicalJson({ a: 1 }))
})
