import { expect, test } from 'vitest'
import { attemptText, resultText } from './attempt-text.ts'

test('an attempt shows its number and the total; unknown kinds and problems are shown as sent', () => {
  expect(attemptText({ kind: 'delivery', attempt: 2 })).toBe('2 of 8')
  expect(attemptText({ kind: 'ping', attempt: 3 })).toBe('3 of 288')
  expect([attemptText({ kind: 'test', attempt: 1 }), attemptText({ kind: 'replay', attempt: 1 })]).toEqual([
    'Test',
    'Replay',
  ])
  expect(attemptText({ kind: 'later', attempt: 4 })).toBe('later 4')
  expect(resultText({ status: 200, problem: null })).toBe('Delivered')
  expect(resultText({ status: 503, problem: 'HTTP_STATUS' })).toBe('HTTP 503')
  expect(resultText({ status: null, problem: 'TIMEOUT' })).toBe('No response in 15 s')
  expect(resultText({ status: null, problem: 'LATER' })).toBe('LATER')
})
