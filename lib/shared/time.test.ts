import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs, parseIsoDurationMs } from './time.ts'

test.each([
  ['PT24H', 24 * hourMs],
  ['P5D', 5 * dayMs],
  ['P1DT2H3M4S', dayMs + 2 * hourMs + 3 * minuteMs + 4000],
  ['PT0H5M', 5 * minuteMs],
  ['PT1.5H', 90 * minuteMs],
  ['PT1,5S', 1500],
  ['P0.5D', 12 * hourMs],
] as const)('reads %s', (text, expected) => {
  expect(parseIsoDurationMs(text)).toBe(expected)
})

test.each([
  '',
  'P',
  'PT',
  'P1DT',
  '24H',
  '-PT1H',
  'PT-1H',
  'PT0S',
  'P1Y',
  'P1M',
  'P1W',
  'PT1.5H30M',
  'PT.5H',
  'PT1.H',
  ' PT1H',
  'PT1H\n',
  'P99999999999999999D',
])('refuses "%s"', (text) => {
  expect(parseIsoDurationMs(text)).toBeNull()
})
