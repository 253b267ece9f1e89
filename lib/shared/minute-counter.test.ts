import { expect, onTestFinished, test, vi } from 'vitest'
import { minuteCounter } from './minute-counter.ts'
import { minuteMs } from './time.ts'

test('each subject is counted for itself, and from 0 in each minute', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const count = minuteCounter('carddeskPlantedCounts')
  expect([count('a', 1), count('a', 2), count('b', 1), count('a', 0)]).toEqual([1, 3, 1, 3])
  vi.setSystemTime(minuteMs)
  expect(count('a', 1)).toBe(1)
})
