import { expect, test } from 'vitest'
import { minuteCounter } from './minute-counter.ts'
import { minuteMs } from './time.ts'

test('each subject is counted for itself, and from 0 in each minute', () => {
  const count = minuteCounter('carddeskPlantedCounts')
  expect([count('a', 1, 0), count('a', 2, 1), count('b', 1, 2), count('a', 0, 3)]).toEqual([1, 3, 1, 3])
  expect(count('a', 1, minuteMs)).toBe(1)
})
