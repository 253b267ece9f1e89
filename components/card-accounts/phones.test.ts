import { expect, test } from 'vitest'
import { groupedPhone } from './phones.ts'

test.each([
  ['+85290368176', '+852 9036 8176'],
  ['+6591234567', '+65 9123 4567'],
  ['+14155550100', '+1 415 555 0100'],
  ['+8613812345678', '+86 138 1234 5678'],
  ['+821012345678', '+82 101 234 5678'],
  ['+639171234567', '+63 917 123 4567'],
])('%s is read as %s, and means the same number', (phone, text) => {
  expect(groupedPhone(phone)).toBe(text)
  expect(text.replaceAll(' ', '')).toBe(phone)
})

test.each(['•••• 4567', '999', '', '+852 9036 8176', '90368176', '+123456'])('%s stays as it is', (phone) => {
  expect(groupedPhone(phone)).toBe(phone)
})
