import { expect, test } from 'vitest'
import { findProblem } from '#lib/api/transactions.ts'

test('a card number and an impossible external ID are refused before a request is sent', () => {
  expect(findProblem('4242 4242 4242 4242')).toMatch(/card number/)
  expect(findProblem('x'.repeat(257))).toMatch(/256/)
  expect(findProblem('EMP-2041')).toBeUndefined()
  expect(findProblem('42424242-4242-4242-8242-424242424242')).toBeUndefined()
})
