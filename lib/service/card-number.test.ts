import { expect, test } from 'vitest'
import {
  isLuhnValid,
  issueCardNumber,
  openCardNumber,
  sealCardNumber,
  securityCode,
  seededCardNumber,
} from './card-number.ts'

const key = Buffer.alloc(32, 1)
const cardId = '3f1c2a52-6a0e-4a52-9d6e-0d8f8f0a7c11'

test.each([
  ['4539578763621486', true],
  ['79927398713', true],
  ['79927398710', false],
  ['9999000000000000', false],
  ['', false],
  ['4539 5787 6362 1486', false],
])('the check digit of "%s" is right: %s', (digits, isValid) => {
  expect(isLuhnValid(digits)).toBe(isValid)
})

test('issued numbers have 16 digits, are Luhn-valid, and begin where no network can', () => {
  for (let count = 0; count < 500; count++) {
    const number = issueCardNumber()
    expect(number).toMatch(/^99991\d{11}$/)
    expect(isLuhnValid(number)).toBe(true)
  }
})

test('a seeded number ends in the digits that were requested', () => {
  for (const last4 of ['4242', '0000', '9999']) {
    expect(seededCardNumber(17, last4)).toMatch(new RegExp(`^99992\\d{7}${last4}$`))
    expect(isLuhnValid(seededCardNumber(17, last4))).toBe(true)
  }
  expect(new Set(Array.from({ length: 80 }, (_, serial) => seededCardNumber(serial, '4242'))).size).toBe(80)
})

test('a sealed number opens with its key and its card alone', () => {
  const sealed = sealCardNumber('9999012345678906', cardId, key)
  expect(openCardNumber(sealed, cardId, key)).toBe('9999012345678906')
  expect(() => openCardNumber(sealed, cardId, Buffer.alloc(32, 2))).toThrow()
  expect(() => openCardNumber(sealed, '00000000-0000-4000-8000-000000000000', key)).toThrow()
  const altered = Buffer.from(sealed)
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1
  expect(() => openCardNumber(altered, cardId, key)).toThrow()
  expect(() => openCardNumber(sealed.subarray(0, 20), cardId, key)).toThrow()
})

test('the same number is sealed differently each time, and its digits are nowhere in the bytes', () => {
  const one = sealCardNumber('9999012345678906', cardId, key)
  expect(one.equals(sealCardNumber('9999012345678906', cardId, key))).toBe(false)
  expect(one.includes('9999012345678906')).toBe(false)
})

test('the security code follows from number, expiry and key, and differs with each', () => {
  const code = (number: string, month: number, year: number, with_ = key) => securityCode(number, month, year, with_)
  const base = code('9999012345678906', 8, 2029)
  expect(base).toMatch(/^\d{3}$/)
  expect(code('9999012345678906', 8, 2029)).toBe(base)
  const others = new Set(Array.from({ length: 50 }, (_, index) => code('9999012345678906', 8, 2030 + index)))
  expect(others.size).toBeGreaterThan(30)
  const keys = new Set(
    Array.from({ length: 50 }, (_, index) => code('9999012345678906', 8, 2029, Buffer.alloc(32, index))),
  )
  expect(keys.size).toBeGreaterThan(30)
})
