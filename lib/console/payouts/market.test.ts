import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareWithMarket } from './quote-payout.ts'

const quote = { sourceAmount: '25000', destinationAmount: '50412500', destinationCurrency: 'IDR', rate: '2016.5' }

test('a quote below the market rate says how much less arrives, in the destination currency and of the rate', () => {
  expect(compareWithMarket(quote, 2018.931)).toEqual({
    rate: '2018.931',
    destinationAmount: '50473275',
    difference: '-60775',
    percent: '-0.12',
    relation: 'worse',
  })
})

test('a quote above the market rate says how much more', () => {
  expect(compareWithMarket(quote, '2000')).toMatchObject({
    destinationAmount: '50000000',
    difference: '412500',
    percent: '0.83',
    relation: 'better',
  })
})

test('at the market rate nothing differs, not even by the rounding of a given destination amount', () => {
  const rounded = { sourceAmount: '24.8', destinationAmount: '50000', destinationCurrency: 'IDR', rate: '2016.5' }
  expect(compareWithMarket(rounded, 2016.5)).toMatchObject({
    destinationAmount: '50000',
    difference: '0',
    percent: '0',
    relation: 'same',
  })
})

test('amounts are whole numbers of minor units, compared exactly with big integers', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 12n),
      fc.bigInt(1n, 10n ** 9n),
      fc.bigInt(1n, 10n ** 9n),
      fc.constantFrom(['IDR', 0], ['HKD', 2]),
      (cents, rateMillionths, marketMillionths, [currency, digits]) => {
        const decimal = (value: bigint, places: number) =>
          places === 0
            ? String(value)
            : `${value / 10n ** BigInt(places)}.${String(value % 10n ** BigInt(places)).padStart(places, '0')}`
        const converted = (millionths: bigint) => {
          const scale = 10n ** BigInt(8 - Number(digits))
          const exact = cents * millionths
          return (2n * exact + scale) / (2n * scale)
        }
        const received = converted(rateMillionths)
        const atMarket = converted(marketMillionths)
        const compared = compareWithMarket(
          {
            sourceAmount: decimal(cents, 2),
            destinationAmount: decimal(received, Number(digits)),
            destinationCurrency: String(currency),
            rate: decimal(rateMillionths, 6),
          },
          decimal(marketMillionths, 6),
        )
        const minor = (text: string) => {
          const [whole = '', fraction = ''] = text.replace('-', '').split('.')
          const value = BigInt(whole + fraction.padEnd(Number(digits), '0'))
          return text.startsWith('-') ? -value : value
        }
        expect(minor(compared.destinationAmount)).toBe(atMarket)
        expect(minor(compared.difference)).toBe(received - atMarket)
      },
    ),
    { numRuns: 1000 },
  )
})
