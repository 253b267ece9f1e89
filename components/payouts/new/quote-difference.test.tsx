import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Quote } from '#lib/console/payouts/types.ts'
import { amount } from '#lib/shared/money.ts'
import { besideLiveRate, differenceSentences, marketSentence, percentBetween } from './rate-comparison.tsx'

const quote = {
  sourceAmount: '25000',
  sourceCurrency: 'HKD',
  destinationAmount: '50412500',
  destinationCurrency: 'IDR',
  rate: '2016.5',
  market: null,
} as Quote

test('changes since the previous quote are described with both figures', () => {
  expect(differenceSentences(quote, { ...quote, rate: '2018.931', destinationAmount: '50473275' })).toEqual([
    'The rate went up by 2.431 (0.12 %), from 2,016.5 to 2,018.931.',
    'They receive 60,775 IDR (0.12 %) more than before (50,412,500).',
  ])
  expect(differenceSentences(quote, { ...quote, rate: '2000', sourceAmount: '25206.25' })).toEqual([
    'The rate went down by 16.5 (0.82 %), from 2,016.5 to 2,000.',
    'You send 206.25 HKD (0.83 %) more than before (25,000.00).',
  ])
  expect(differenceSentences({ ...quote, destinationAmount: '50412501' }, quote)).toEqual([
    'They receive 1 IDR (less than 0.01 %) less than before (50,412,501).',
  ])
})

test('an identical quote is reported as the same; another currency pair is not compared', () => {
  expect(differenceSentences(quote, quote)).toEqual(['Rate and amounts are the same as in the quote before.'])
  expect(differenceSentences(quote, { ...quote, destinationCurrency: 'KRW' })).toEqual([])
})

test('a difference in per cent is computed in decimals, rounded half up, and never shown as zero', () => {
  const decimal = fc
    .tuple(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 0, max: 10 }))
    .map(([digits, places]) => amount(`${digits}e-${places}`).toString())
  fc.assert(
    fc.property(decimal, decimal, (before, after) => {
      const exact = amount(after).minus(before).abs().dividedBy(before).times(100)
      const rounded = exact.toFixed(2)
      const isTooSmall = rounded === '0.00' && !exact.isZero()
      expect(percentBetween(before, after)).toBe(isTooSmall ? 'less than 0.01 %' : `${rounded} %`)
    }),
  )
  expect(percentBetween('0', '1')).toBeNull()
})

test.each([
  ['2080.401441', '2080.66053', '0.01 % below the live rate'],
  ['2080.9', '2080.66053', '0.01 % above the live rate'],
  ['2080.660531', '2080.66053', 'less than 0.01 % above the live rate'],
  ['2080.66053', '2080.660530', 'the same as the live rate'],
])('a quote at %s beside the live rate %s is %s', (rate, live, labels) => {
  expect(besideLiveRate(rate, live)).toBe(labels)
})

test.each([
  [{ relation: 'same', destinationAmount: '50412500', difference: '0', percent: '0' }, 'Market rate, no markup.'],
  [
    { relation: 'worse', destinationAmount: '50473275', difference: '-60775', percent: '-0.12' },
    'At the market rate without a fee, 25,000.00 HKD would be 50,473,275 IDR. This quote gives 60,775 IDR (0.12 %) less than that.',
  ],
  [
    { relation: 'better', destinationAmount: '50412000', difference: '500', percent: '0' },
    'At the market rate without a fee, 25,000.00 HKD would be 50,412,000 IDR. This quote gives 500 IDR (less than 0.01 %) more than that.',
  ],
] as const)('beside the market: %o', (market, sentence) => {
  expect(marketSentence({ ...quote, market: { rate: '2016.5', ...market } })).toBe(sentence)
})

test('without a market rate nothing is compared; an equal currency is named', () => {
  expect(marketSentence(quote)).toBeNull()
  const same = { ...quote, destinationCurrency: 'HKD' }
  expect(marketSentence({ ...same, rate: '1' })).toBe('Same currency: nothing is exchanged.')
  expect(marketSentence({ ...same, rate: '0.97' })).toBe('Same currency, at a rate of 0.97.')
})
