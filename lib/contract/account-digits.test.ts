import { expect, test } from 'vitest'
import { lastDigits, shownLastDigits } from './account-digits.ts'

test('what is typed to confirm are the last four digits of the number, or as many as it has', () => {
  expect(['6222 0202 0001 2345 678', '110-123-456789', 'AB12', 'A1B'].map(lastDigits)).toEqual([
    '5678',
    '6789',
    '12',
    '1',
  ])
})

test('of a masked number only the digits after the mask are known', () => {
  expect(['6222 0202 0001 2345 678', '6222 •••• 678', '12-34**', '••••'].map(shownLastDigits)).toEqual([
    '5678',
    '678',
    '',
    '',
  ])
})
