import { expect, test } from 'vitest'
import type { Movement, RateHistory } from '#lib/console/rates/types.ts'
import { withPresent } from './rate-history-figure.tsx'

const point = (toMs: number, close: string) => ({
  fromMs: toMs,
  toMs,
  open: close,
  low: close,
  high: close,
  close,
  samples: 1,
})
const movement = (percent: string) => ({ direction: 'down', percent }) as Movement
const at = '2026-11-24T07:36:28.000Z'
const atMs = Date.parse(at)
const history: RateHistory = {
  baseCurrency: 'USD',
  currency: 'HKD',
  range: '1h',
  fromMs: atMs - 3_600_000,
  toMs: atMs - 1000,
  points: [point(atMs - 120_000, '7.79'), point(atMs - 60_000, '7.787')],
  gaps: [],
  low: '7.787',
  high: '7.79',
  movement: movement('-0.05'),
  isSampledAlways: true,
}
const now = { baseCurrency: 'USD', currency: 'HKD', rate: '7.78', hour: movement('-0.04'), day: movement('-0.2'), at }

test('the chart ends with the present rate, in its scale, and moves as the table says', () => {
  const shown = withPresent(history, now)
  expect(shown.points.at(-1)).toMatchObject({ toMs: atMs, close: '7.78' })
  expect(shown).toMatchObject({ low: '7.78', high: '7.79', toMs: atMs, movement: { percent: '-0.04' } })
  expect(withPresent({ ...history, range: '24h' }, now).movement?.percent).toBe('-0.2')
  expect(withPresent({ ...history, range: '30d' }, now).movement?.percent).toBe('-0.05')
})

test('without a present rate of this pair that is newer than the last sample, the history stays', () => {
  expect(withPresent(history, null)).toBe(history)
  expect(withPresent(history, { ...now, currency: 'EUR' })).toBe(history)
  expect(withPresent(history, { ...now, baseCurrency: 'EUR' })).toBe(history)
  expect(withPresent(history, { ...now, at: '2026-11-24T07:30:00.000Z' })).toBe(history)
  expect(withPresent({ ...history, points: [] }, now).points).toEqual([])
})
