import { expect, test } from 'vitest'
import { withoutCardNumbers } from './card-numbers.ts'

test('a message holds no card number, neither the one that was sent nor any other', () => {
  const number = '6222020200012345678'
  expect(withoutCardNumbers(`account ${number} is closed`, number)).toBe('account •••• 5678 is closed')
  expect(withoutCardNumbers('account 6222 0202 0001 2345 678 is closed', number)).toBe('account •••• 5678 is closed')
  expect(withoutCardNumbers('4242-4242-4242-4242 was seen')).toBe('•••• 4242 was seen')
  expect(withoutCardNumbers('must be at least 50000 IDR', number)).toBe('must be at least 50000 IDR')
})
