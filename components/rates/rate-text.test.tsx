import * as fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { rateCurrencies } from '#lib/service/rates.ts'
import { chartPoints, MovementCell, MovementText, percentText } from './rate-figures.tsx'
import { chosenCurrency } from './rate-params.ts'
import { ExactRateText, RateText, shortRate, splitRate } from './rate-text.tsx'
import { currencyName } from './rates-screen.tsx'

const rates = fc
  .tuple(fc.bigInt(0n, 10n ** 9n), fc.stringMatching(/^\d{0,14}$/))
  .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`))

test('an exact rate has every digit that was sent', () => {
  fc.assert(
    fc.property(rates, (rate) => {
      const { lead, rest } = splitRate(rate)
      expect(`${lead}${rest}`.replaceAll(',', '')).toBe(rate)
    }),
  )
})

test.each([
  ['7.801234568', '7.80123'],
  ['7.801927076', '7.80193'],
  ['16292.81308', '16,292.8'],
  ['999999.95', '1,000,000'],
  ['2018931.5', '2,018,932'],
  ['0.00006134926984', '0.0000613493'],
  ['0.86', '0.86'],
  ['151', '151'],
])('%s is shown with six significant digits, and in full in its title', (rate, shown) => {
  expect(shortRate(rate)).toBe(shown)
  expect(renderToStaticMarkup(<RateText rate={rate} />)).toBe(
    `<span title="${rate}" class="whitespace-nowrap">${shown}</span>`,
  )
})

test.each([
  ['7.801234568', '7.80123', '4568'],
  ['16292.81308', '16,292.81', '308'],
  ['2018931.5', '2,018,931.5', ''],
  ['0.00006134922984', '0.0000613492', '2984'],
  ['0.86', '0.86', ''],
  ['151', '151', ''],
])('of %s people read %s first', (rate, lead, rest) => {
  expect(splitRate(rate)).toEqual({ lead, rest })
  expect(renderToStaticMarkup(<ExactRateText rate={rate} />).replace(/<[^>]*>/g, '')).toBe(lead + rest)
})

const against = { at: '2026-11-21T06:00:00.000Z', rate: '7.8' }

test('a movement has a label and an arrow besides its colour; one too small for four decimals says so', () => {
  const text = (element: React.ReactElement) => renderToStaticMarkup(element).replace(/<[^>]*>/g, '')
  const down = { direction: 'down', percent: '-0.0123', against } as const
  expect(text(<MovementText movement={down} />)).toBe('down 0.0123 %')
  expect(renderToStaticMarkup(<MovementText movement={down} />)).toContain('<svg')
  expect(text(<MovementCell movement={down} />)).toBe('down−0.0123 %')
  expect(text(<MovementText movement={{ direction: 'same', percent: '0.0000', against }} />).trim()).toBe('unchanged')
  expect(percentText({ direction: 'up', percent: '0.0000', against })).toBe('under 0.0001 %')
  expect(text(<MovementText movement={null} />)).toBe('no sample to compare with')
})

test('every currency of the sandbox has a name; an unknown one has none', () => {
  expect(rateCurrencies.filter((code) => currencyName(code) === null)).toEqual([])
  expect(currencyName('constructor')).toBeNull()
})

test('without a choice the history is of the dollar and the Hong Kong dollar, never of a currency in itself', () => {
  expect(chosenCurrency({ base: 'USD', currency: null })).toBe('HKD')
  expect(chosenCurrency({ base: 'HKD', currency: null })).toBe('USD')
  expect(chosenCurrency({ base: 'EUR', currency: 'EUR' })).toBe('USD')
  expect(chosenCurrency({ base: 'EUR', currency: 'IDR' })).toBe('IDR')
})

test('the line restarts after each gap, and nowhere else', () => {
  const point = (fromMs: number, toMs: number) => ({
    fromMs,
    toMs,
    open: '7.8',
    low: '7.7',
    high: '7.9',
    close: '7.85',
    samples: 2,
  })
  const drawn = chartPoints({
    points: [point(100, 150), point(160, 200), point(900, 910)],
    gaps: [
      { fromMs: 0, toMs: 100 },
      { fromMs: 200, toMs: 900 },
    ],
  })
  expect(drawn.map(({ isAfterGap }) => isAfterGap)).toEqual([true, false, true])
  expect(drawn[1]).toMatchObject({ atMs: 200, value: 7.85, low: 7.7, high: 7.9 })
})
