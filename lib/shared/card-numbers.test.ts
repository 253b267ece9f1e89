import { expect, test } from 'vitest'
import { holdsCardNumber, isCardNumberTyped, maskCardNumbers, maskCardNumbersInJson } from './card-numbers.ts'

test('finds numbers of 13 to 19 digits with a right check digit, however they are written', () => {
  for (const text of [
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    ' the card 4242 4242 4242 4242 was lost ',
    '4222222222222',
    '6304000000000000000',
    '378282246310005',
  ]) {
    expect(holdsCardNumber(text), text).toBe(true)
  }
})

test('leaves everything else alone: names, last fours, identifiers, phone numbers, wrong check digits', () => {
  for (const text of [
    '',
    '4242',
    'Chan Tai Man 陳大文',
    '4242424242424241',
    '424242424242',
    '42424242424242424242',
    '12345678-1234-4123-8123-123456789012',
    '1d2c3b4a-0000-4000-8000-000000000001',
    '+85291234567',
    'EMP-2041',
  ]) {
    expect(holdsCardNumber(text), text).toBe(false)
  }
})

test('a number that no payment card begins with is none: a time in milliseconds, an id made of one', () => {
  for (const text of ['1764565000122', '1000000000210866801', '0000000000000000', '7992739871300']) {
    expect(holdsCardNumber(text), text).toBe(false)
    expect(maskCardNumbersInJson(`{"time":${text}}`)).toBe(`{"time":${text}}`)
  }
})

test('an id of the service and a token of a page may be any number, what is typed may not be a card’s', () => {
  const number = '4000000000000000774'
  for (const name of ['accountId', 'cardIds', 'about', 'pageToken', 'id'])
    expect(isCardNumberTyped(name, number), name).toBe(false)
  for (const name of ['q', 'xid', 'wireCode', 'paid']) expect(isCardNumberTyped(name, number), name).toBe(true)
  expect(isCardNumberTyped('targetId', '4242 4242 4242 4242')).toBe(true)
})

test('an identifier whose digits happen to pass is no card number; one beside it is', () => {
  const id = '42424242-4242-4242-8242-424242424242'
  expect(holdsCardNumber(id)).toBe(false)
  expect(holdsCardNumber(`${id} 4242 4242 4242 4242`)).toBe(true)
})

test('masks each card number of a text and nothing beside it', () => {
  for (const [text, masked] of [
    ['4242424242424242', '•••• 4242'],
    ['card 4242  4242-4242 4242, then 5555 5555 5555 4444.', 'card •••• 4242, then •••• 4444.'],
    ['order 12 4242 4242 4242 4242', 'order 12 •••• 4242'],
    ['4242 4242 4242 4242 7', '•••• 4242 7'],
    ['42424242-4242-4242-8242-424242424242 4242424242424242', '42424242-4242-4242-8242-424242424242 •••• 4242'],
    ['2026-03-01 10:00:00, HKD 1,234.50, +852 9123 4567', '2026-03-01 10:00:00, HKD 1,234.50, +852 9123 4567'],
  ] as const) {
    expect(maskCardNumbers(text)).toBe(masked)
  }
})

test('masks card numbers of JSON in strings, keys and numbers at any depth, and leaves every other byte', () => {
  const card = '4242424242424242'
  for (const [json, masked] of [
    [`{ "a" : [ { "b" : "${card}" } ] }`, '{ "a" : [ { "b" : "•••• 4242" } ] }'],
    [`{"a":${card},"n":-${card}}`, '{"a":"•••• 4242","n":"•••• 4242"}'],
    ['{"a":6222020200012345671}', '{"a":6222020200012345671}'],
    ['{"a":4000000000000000006}', '{"a":"•••• 0006"}'],
    ['{"a":4.242424242424242e15,"b":4242424242424242.0}', '{"a":"•••• 4242","b":"•••• 4242"}'],
    [`{"${card}":1,"a":"${card}","a":"x"}`, '{"•••• 4242":1,"a":"•••• 4242","a":"x"}'],
    [`{"a":"\\u0034242 4242 4242 4242"}`, '{"a":"•••• 4242"}'],
    [`{"a":"{\\"pan\\":\\"${card}\\"}"}`, `{"a":"{\\"pan\\":\\"•••• 4242\\"}"}`],
    ['{"n":1.50,"t":"2026-03-01T10:00:00.000Z","big":12345678901234567890123,"q":"\\\\"}', null],
  ] as const) {
    expect(maskCardNumbersInJson(json)).toBe(masked ?? json)
    JSON.parse(maskCardNumbersInJson(json))
  }
})
