import { expect, test } from 'vitest'
import { isDay } from '#lib/shared/wall-clock.ts'
import { daysBefore } from './day-range.ts'
import { daysText } from './filter-days.tsx'

test('a range is labelled in the order of its days, and an open end as open', () => {
  const text = (dateRangeFrom: string | null, dateRangeTo: string | null) => daysText({ dateRangeFrom, dateRangeTo })
  expect(text(null, null)).toBe('any')
  expect(text('2026-11-01', null)).toBe('from 2026-11-01')
  expect(text(null, '2026-11-07')).toBe('to 2026-11-07')
  expect(text('2026-11-07', '2026-11-07')).toBe('2026-11-07')
  expect(text('2026-11-07', '2026-11-01')).toBe('2026-11-01 – 2026-11-07')
})

test('a day exists in the calendar and is written as YYYY-MM-DD', () => {
  expect(['2026-02-28', '2028-02-29'].every(isDay)).toBe(true)
  expect(['2026-02-29', '11/21/2026', '2026-1-1', '', '2026-13-01', '+2026-01-01'].some(isDay)).toBe(false)
  expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28')
})
