import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '#lib/shared/testing/cases.ts'
import { readJsonText } from './json-text.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('reads what JSON.stringify writes of plain values as the same values', () => {
  const value = fc.jsonValue({ noUnicodeString: false }).filter((one) => !/__proto__|\\u0000/.test(JSON.stringify(one)))
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (one, indent) => {
      const text = JSON.stringify(one, null, indent)
      const read = readJsonText(text)
      if (read.ok) expect(read.value).toEqual(JSON.parse(text))
      else expect(read.error.problem).toMatch(/digits|half a character/)
    }),
    { numRuns: cases(500) },
  )
})

test('nothing is accepted that JSON.parse refuses, and nothing refused but for a stated reason of its own', () => {
  const fragment = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '1',
    '-',
    '0',
    '.5',
    'e9',
    'true',
    ' ',
    '"',
    '\\',
    "'",
    '\n',
  )
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 9 }), (fragments) => {
      const text = fragments.join('')
      const read = readJsonText(text)
      if (read.ok) expect(isJson(text), text).toBe(true)
      else if (isJson(text)) expect(read.error.problem, text).toMatch(/second time|digits/)
    }),
    { numRuns: cases(3000) },
  )
})

test.each([
  ['', 1, 1, 'The text ends too early. Expected a value'],
  ['{"a": 1,\n  b: 2}', 2, 3, 'Expected a key in double quotes'],
  ['{"a": 1,}', 1, 9, 'Expected a key in double quotes'],
  ["{'a': 1}", 1, 2, 'Expected a key in double quotes'],
  ['{"a": \'x\'}', 1, 7, 'Text needs double quotes'],
  ['{"a" 1}', 1, 6, 'Expected a colon between key and value'],
  ['{"a": 1 "b": 2}', 1, 9, 'Expected a comma or }'],
  ['["a"', 1, 5, 'The text ends too early. Expected a comma or ]'],
  ['["a\nb"]', 1, 4, 'Text ends with a double quote'],
  [String.raw`["\x"]`, 1, 3, 'This is no escape of JSON'],
  ['{"a": 1} x', 1, 10, 'Nothing may follow the value'],
  ['{"a": 1, "a": 2}', 1, 10, 'The key “a” occurs twice'],
  ['{"__proto__": 1}', 1, 2, 'The key “__proto__” cannot be sent'],
  ['[12345678901234567890]', 1, 2, 'more digits than a JSON number carries'],
  ['[1e999]', 1, 2, 'more digits than a JSON number carries'],
  [String.raw`["\u0000"]`, 1, 2, 'NUL or half a character'],
])('%j is refused at line %i, column %i', (text, line, column, problem) => {
  expect(readJsonText(text)).toEqual({ ok: false, error: { line, column, problem: expect.stringContaining(problem) } })
})

test('a number of many digits that a double carries all the same is accepted', () => {
  expect(readJsonText('[9007199254740991, 0.1, 1.50, -0]')).toMatchObject({ ok: true })
})

test('a text of a quarter of a million characters is read, with and without its end', () => {
  const text = `"${'é😀x'.repeat(62_500)}`
  expect(readJsonText(`${text}"`)).toMatchObject({ ok: true })
  expect(readJsonText(text)).toMatchObject({ ok: false, error: { line: 1, column: 250_002 } })
})

test('a thousand brackets are refused, not a crash', () => {
  expect(readJsonText('['.repeat(100_000))).toMatchObject({ ok: false })
})
