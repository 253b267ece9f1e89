import { expect, test } from 'vitest'
import { filterProblems } from './fee-params.ts'

test('the rules of the interface are messages before anything is sent', () => {
  expect(filterProblems.feeId('5f0c7a52-3b1e-4c9a-8d27-6e4f1b90a7c3')).toBeUndefined()
  expect(filterProblems.feeId('FEE_0aZ')).toBeUndefined()
  expect(filterProblems.feeId('x'.repeat(201))).toMatch(/200 characters/)
  expect(filterProblems.xid('x'.repeat(256))).toBeUndefined()
  expect(filterProblems.xid('x'.repeat(257))).toBe('At most 256 characters.')
  expect(filterProblems.xid('4242 4242 4242 4242')).toMatch(/card number/)
})
