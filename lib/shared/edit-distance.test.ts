import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'

test.each([
  ['chan', 'chan', 0],
  ['chna', 'chan', 1],
  ['chn', 'chan', 1],
  ['cham', 'chan', 1],
  ['travle', 'travel', 1],
  ['wong', 'chan', 4],
  ['a', 'abcd', Infinity],
])('%s and %s differ by %s letters', (one, other, letters) => {
  expect(editDistance(one, other)).toBe(letters)
  expect(editDistance(other, one)).toBe(letters)
})
