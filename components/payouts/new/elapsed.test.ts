import { expect, test } from 'vitest'
import { elapsedMs, stampNow } from './elapsed.ts'

const since = { wallMs: 1_000_000, monotonicMs: 500 }

test.each([
  ['both clocks run', { wallMs: 1_004_000, monotonicMs: 4500 }, 4000],
  ['the machine slept and only the wall clock ran', { wallMs: 1_060_000, monotonicMs: 600 }, 60_000],
  ['the wall clock was put back', { wallMs: 900_000, monotonicMs: 4500 }, 4000],
  ['the wall clock was put forward', { wallMs: 1_500_000, monotonicMs: 4500 }, 500_000],
  ['nothing has passed', since, 0],
  ['both clocks say less than before', { wallMs: 0, monotonicMs: 0 }, 0],
])('%s: what has passed is never too little', (_, now, passed) => {
  expect(elapsedMs(since, now)).toBe(passed)
})

test('a stamp is of now', () => {
  const before = stampNow()
  expect(elapsedMs(before, stampNow())).toBeLessThan(1000)
})
