import { expect, test } from 'vitest'
import { clockText } from './connection-text.ts'

test.each([
  [null, 'Unknown: no Date header'],
  [400, 'In sync, within 1 s'],
  [-999, 'In sync, within 1 s'],
  [12_340, '12.3 s ahead'],
  [-60_000, '60.0 s behind'],
])('the clock of a service that is %s ms ahead', (offsetMs, text) => {
  expect(clockText({ clockOffsetMs: offsetMs, endpoints: [{ status: 200 }] })).toBe(text)
})

test('the clock of a service that never responded is not blamed on a missing header', () => {
  expect(clockText({ clockOffsetMs: null, endpoints: [{ status: null }] })).toBe('Unknown: no response')
})
