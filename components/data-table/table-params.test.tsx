import { expect, test } from 'vitest'
import { rangeText } from './table-footer.tsx'
import { nextSort, readSort, writeSort } from './table-params.ts'

test('reads back the sort that it wrote, and nothing from an empty one', () => {
  for (const isDescending of [true, false]) {
    expect(readSort(writeSort({ column: 'balance', isDescending }))).toEqual({ column: 'balance', isDescending })
  }
  for (const text of [null, '', '-']) expect(readSort(text)).toBeNull()
})

test('sorts figures from the largest and texts from the first, then the other way round, then not at all', () => {
  const sortsAfterPresses = (align: 'start' | 'end') => {
    const column = { id: 'it', align }
    const first = nextSort({ column: 'another', isDescending: true }, column)
    const second = nextSort(first, column)
    return [first, second, nextSort(second, column)].map(writeSort)
  }
  expect(sortsAfterPresses('end')).toEqual(['-it', 'it', null])
  expect(sortsAfterPresses('start')).toEqual(['it', '-it', null])
})

test('shows the row numbers, with the total where it is known', () => {
  expect(rangeText(51, 50, 1284)).toBe('51–100 of 1,284')
  expect(rangeText(1, 20, null)).toBe('1–20')
  expect(rangeText(1, 0, 0)).toBe('0 of 0')
  expect(rangeText(1, 0, null)).toBe('')
})
