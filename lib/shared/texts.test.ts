import { expect, test } from 'vitest'
import { listed } from './texts.ts'

test('a list reads as one', () => {
  expect([[], ['the bank'], ['the bank', 'the amount'], ['a', 'b', 'c']].map(listed)).toEqual([
    '',
    'the bank',
    'the bank and the amount',
    'a, b and c',
  ])
})
