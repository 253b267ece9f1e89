import { expect, test } from 'vitest'
import { isPhoneNumber, isSamePhone, phoneTail } from './phone-numbers.ts'

const stored = '+85291234567'

test.each([
  '+85291234567',
  '+852 9123 4567',
  '00852-9123-4567',
  '(+852) 9123.4567',
  '9123 4567',
  '09123 4567',
  '91234567',
  '+852 (0)9123 4567',
  '00852 (0) 9123 4567',
])('%s is the phone number that is stored as +85291234567', (text) => {
  expect(isPhoneNumber(text)).toBe(true)
  expect(isSamePhone(stored, text)).toBe(true)
  expect(phoneTail(text)).toBe(phoneTail(stored))
})

test.each(['+1 9123 4567', '+85391234567', '91234568', '234567', '1 9123 4567'])('%s is another one', (text) => {
  expect(isSamePhone(stored, text)).toBe(false)
})

test.each(['', '123456', '+1234567890123456', 'call 9123 4567', 'name@example.com'])(
  '%s is no phone number',
  (text) => {
    expect(isPhoneNumber(text)).toBe(false)
  },
)
