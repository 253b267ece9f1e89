import { expect, test } from 'vitest'
import { pauseReason } from './run-row.ts'

test.each([
  [200, 'The card service accepted the last row, but the change isn’t confirmed. The job continues shortly.'],
  [204, 'The card service accepted the last row, but the change isn’t confirmed. The job continues shortly.'],
  [502, 'The card service failed with HTTP 502. The job continues shortly.'],
  [429, 'Rate limit reached. The job continues automatically.'],
  [null, 'The card service isn’t responding. The job continues once it does.'],
])('names why a job rests after status %s', (status, expected) => {
  expect(pauseReason({ status })).toBe(expected)
})
