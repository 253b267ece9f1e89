import { expect, test } from 'vitest'
import { idsBetween, withChoice } from './row-selection.ts'

const page = ['a', 'b', 'c', 'd']

test('chooses every row between two, in either direction, and one alone where the other is not on the page', () => {
  expect(idsBetween(page, 'b', 'd')).toEqual(['b', 'c', 'd'])
  expect(idsBetween(page, 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(idsBetween(page, 'c', 'c')).toEqual(['c'])
  expect(idsBetween(page, 'z', 'c')).toEqual(['c'])
  expect(idsBetween(page, null, 'c')).toEqual(['c'])
})

test('keeps the rows of other pages when those of this one are chosen or cleared', () => {
  const selected = new Set(['b', 'other'])
  expect(withChoice(selected, page, true)).toEqual(new Set(['other', ...page]))
  expect(withChoice(selected, page, false)).toEqual(new Set(['other']))
})
