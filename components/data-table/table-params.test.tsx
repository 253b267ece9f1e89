import { expect, test } from 'vitest'
import { rangeText } from './table-footer.tsx'
import { readSort, writeSort } from './table-params.ts'

test('reads back the sort that it wrote, and nothing from an empty one', () => {
  for (const isDescending of [true, false]) {
    expect(readSort(writeSort({ column: 'balance', isDescending }))).toEqual({ column: 'balance', isDescending })
  }
  for (const text of [null, '', '-']) expect(readSort(text)).toBeNull()
})

test('shows the row numbers, with the total where it is known', () => {
  expect(rangeText(51, 50, 1284)).toBe('51–100 of 1,284')
  expect(rangeText(1, 20, null)).toBe('1–20')
  expect(rangeText(1, 0, 0)).toBe('0 of 0')
  expect(rangeText(1, 0, null)).toBe('')
})
