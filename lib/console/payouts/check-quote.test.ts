import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoteAmounts } from '#lib/service/payouts/quote-amounts.ts'
import { amount } from '#lib/shared/money.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { findQuoteProblem, rateOfSource } from './check-quote.ts'

const requested = {
  method: 'BANK_TRANSFER',
  accountId: 'fund-1',
  sourceCurrency: 'HKD',
  destinationCountry: 'HK',
  destinationCurrency: 'CNH',
  sourceAmount: 160,
} as const
const quote = {
  sourceAmount: 160,
  sourceCurrency: 'HKD',
  destinationAmount: 145.42,
  destinationCurrency: 'CNH',
  destinationCountry: 'HK',
  rate: 0.9089,
}
const problemOf = (change: Partial<typeof quote> | Record<string, null>, asked: object = requested) =>
  findQuoteProblem({ ...quote, ...change }, asked as typeof requested, (terms) => `you asked for ${terms}`)

test.each([
  [{ sourceAmount: 1600 }, 'The card service quoted 1,600.00 HKD, and you asked for 160.00 HKD.'],
  [{ sourceCurrency: 'USD' }, 'The card service quoted a debit in USD, and you asked for HKD.'],
  [{ destinationCurrency: 'HKD' }, 'The card service quoted a payout in HKD, and you asked for CNH.'],
  [{ destinationCountry: 'PH' }, 'The card service quoted a payout to PH, and you asked for HK.'],
  [{ destinationAmount: -5 }, 'The card service quoted −5.00 CNH, which is not above zero.'],
  [{ destinationAmount: 0, rate: 0 }, 'The card service quoted 0.00 CNH, which is not above zero.'],
  [
    { destinationAmount: 14.67 },
    'The card service’s quote contradicts itself: 160.00 HKD at its rate of 0.9089 is 145.42 CNH, and it quoted 14.67 CNH.',
  ],
  [
    { rate: 9.09 },
    'The card service’s quote contradicts itself: 160.00 HKD at its rate of 9.09 is 1,454.40 CNH, and it quoted 145.42 CNH.',
  ],
  [{ rate: 0 }, expect.stringContaining('contradicts itself')],
  [{ rate: -0.9089 }, expect.stringContaining('contradicts itself')],
  [{ rate: 1 }, expect.stringContaining('contradicts itself')],
])('a quote with %o is not the one that was asked for', (change, problem) => {
  expect(problemOf(change)).toEqual(problem)
})

test('the received amount is compared where that was asked for', () => {
  const asked = { ...requested, sourceAmount: undefined, destinationAmount: 145.42 }
  expect(problemOf({}, asked)).toBeNull()
  expect(problemOf({ destinationAmount: 145.41 }, asked)).toBe(
    'The card service quoted 145.41 CNH, and you asked for 145.42 CNH.',
  )
  expect(problemOf({ sourceAmount: -160, rate: -0.9089 }, asked)).toContain('not above zero')
})

test('what is not provided contradicts nothing, nor does another rounding, nor a rate of the other direction', () => {
  expect(
    problemOf({ sourceCurrency: null, destinationCurrency: null, destinationCountry: null, rate: null }),
  ).toBeNull()
  expect(problemOf({ destinationAmount: 145.43 })).toBeNull()
  expect(problemOf({ rate: 0.909 })).toBeNull()
  expect(problemOf({ destinationCountry: 'Hong Kong', sourceCurrency: 'hkd' })).toBeNull()
  // HKD for one CNH.
  expect(problemOf({ rate: 1.1003 })).toBeNull()
  // Of 0.05152936, cut off after its seventh decimal.
  const yen = { sourceCurrency: 'JPY', sourceAmount: 10_000_000, destinationCurrency: 'HKD' }
  const quoted = { ...yen, destinationAmount: 515_293.65, rate: 0.0515293 }
  expect(problemOf(quoted, { ...requested, ...yen })).toBeNull()
  expect(problemOf({ ...quoted, destinationAmount: 515_295 }, { ...requested, ...yen })).toContain('515,295.00 HKD')
})

test.each([
  ['as it was sent where it is the price of the source currency', 160, 145.42, 0.9089, '0.9089'],
  ['what the amounts make where it is the price of the other', 160, 145.42, 1.1003, '0.908875'],
  ['as it was sent where it is of neither', 160, 145.42, 2, '2'],
  ['as it was sent where nothing was paid', 0, 0.01, 1.1003, '1.1003'],
])('the rate of the source currency is %s', (_, sourceAmount, destinationAmount, rate, shown) => {
  const exchange = { sourceAmount, sourceCurrency: 'HKD', destinationAmount, destinationCurrency: 'CNH', rate }
  expect(rateOfSource(exchange)).toBe(shown)
})

test('the same currency has no rounding of a rate', () => {
  const asked = { ...requested, destinationCurrency: 'HKD' }
  expect(problemOf({ destinationCurrency: 'HKD', destinationAmount: 160, rate: 1 }, asked)).toBeNull()
  expect(problemOf({ destinationCurrency: 'HKD', destinationAmount: 159.5, rate: 1 }, asked)).toContain('159.50 HKD')
})

test('a quote of the built-in service’s arithmetic fits its rate, whichever side is given', () => {
  const pairs = fc.constantFrom('CNH', 'KRW', 'IDR', 'KWD')
  const side = fc.constantFrom('sourceAmount' as const, 'destinationAmount' as const)
  fc.assert(
    fc.property(pairs, side, fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }), (...drawn) => {
      const [destinationCurrency, given, units, rateMillionths] = drawn
      const rate = amount(rateMillionths).times('1e-6')
      const currencies = { sourceCurrency: 'HKD', destinationCurrency }
      const text = { [given]: units } as { sourceAmount: number }
      const made = quoteAmounts({ rate, ...currencies, ...text })
      if (made.destinationAmount.isZero()) return
      const figures = {
        sourceAmount: Number(made.sourceAmount),
        destinationAmount: Number(made.destinationAmount),
        rate: Number(rate),
      }
      const asked = { ...requested, ...currencies, sourceAmount: undefined, [given]: units }
      expect(problemOf({ ...figures, ...currencies }, asked)).toBeNull()
    }),
    { numRuns: cases(2_000) },
  )
})
