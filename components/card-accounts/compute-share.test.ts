import { expect, test } from 'vitest'
import { computeShare } from './compute-share.ts'

test('a share is at least nothing, and more than all of a limit that is exceeded', () => {
  expect(computeShare(-5, 10)).toBe(0)
  expect(computeShare('15', 10)).toBe(1.5)
  expect([computeShare(1, 0), computeShare(null, 10), computeShare(1, null)]).toEqual([null, null, null])
})
