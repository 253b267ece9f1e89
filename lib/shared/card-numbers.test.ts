import { expect, test } from 'vitest'
import { holdsCardNumber } from './card-numbers.ts'

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

test('an identifier whose digits happen to pass is no card number; one beside it is', () => {
  const id = '42424242-4242-4242-8242-424242424242'
  expect(holdsCardNumber(id)).toBe(false)
  expect(holdsCardNumber(`${id} 4242 4242 4242 4242`)).toBe(true)
})
