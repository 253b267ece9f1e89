import { expect, test } from 'vitest'
import { indentedJson } from './json.ts'

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
