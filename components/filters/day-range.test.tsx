import { expect, test } from 'vitest'
import { dayRange } from './day-range.ts'

test('a day of Hong Kong begins eight hours before UTC’s', () => {
  expect(dayRange('2026-11-20', 'Asia/Hong_Kong')).toEqual({
    from: '2026-11-19T16:00:00.000Z',
    to: '2026-11-20T15:59:59.999Z',
  })
})

test('a day of UTC is a day of UTC', () => {
  expect(dayRange('2026-02-28', 'UTC')).toEqual({ from: '2026-02-28T00:00:00.000Z', to: '2026-02-28T23:59:59.999Z' })
})

test('a day on which the clocks change has 23 or 25 hours', () => {
  const { from, to } = dayRange('2026-03-29', 'Europe/Berlin')
  expect(Date.parse(to) - Date.parse(from) + 1).toBe(23 * 3_600_000)
})

test.each([
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
])('a day of %s whose first hour is skipped begins with the second: %s', (zone, day, from) => {
  expect(dayRange(day, zone).from).toBe(from)
})
