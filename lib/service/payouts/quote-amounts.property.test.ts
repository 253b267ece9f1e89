import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { minorUnitDigits } from '#lib/shared/currency.ts'
import { amount } from '#lib/shared/money.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { rateAt, rateCurrencies } from '../rates.ts'
import { quoteAmounts } from './quote-amounts.ts'

/** A decimal text as a whole number of 10^-30, so that nothing below this line is a fraction. */
const scale = 30n
function wholeOf(text: string): bigint {
  const [units = '0', fraction = ''] = text.split('.')
  return BigInt(units + fraction.padEnd(Number(scale), '0'))
}

/** Rounds a fraction of whole numbers half up. */
function roundedHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

function minorUnits(currency: string): bigint {
  return 10n ** BigInt(minorUnitDigits(currency))
}

function inMinorUnits(text: string, currency: string): bigint {
  const whole = wholeOf(text) * minorUnits(currency)
  expect(whole % 10n ** scale).toBe(0n)
  return whole / 10n ** scale
}

const currencies = fc.constantFrom(...rateCurrencies)
const instants = fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })

/** An amount as people type one: whole minor units of its currency. */
function given(currency: string, minor: number): string {
  const digits = minorUnitDigits(currency)
  const text = String(minor).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

test('a source amount is converted as big integers convert it, rounded half up, in every pair of currencies', () => {
  fc.assert(
    fc.property(instants, currencies, currencies, fc.integer({ min: 1, max: 100_000_000 }), (now, from, to, minor) => {
      const rate = rateAt(now, from, to)
      const source = given(from, minor)
      const { sourceAmount, destinationAmount } = quoteAmounts({
        rate,
        sourceCurrency: from,
        destinationCurrency: to,
        sourceAmount: Number(source),
      })
      const exact = wholeOf(source) * wholeOf(rate.toString()) * minorUnits(to)
      expect(inMinorUnits(destinationAmount.toString(), to)).toBe(roundedHalfUp(exact, 10n ** (2n * scale)))
      expect(sourceAmount.equals(amount(source))).toBe(true)
    }),
    { numRuns: cases(20_000) },
  )
})

test('a destination amount is converted back as big integers convert it, rounded half up, to one minor unit or more', () => {
  fc.assert(
    fc.property(instants, currencies, currencies, fc.integer({ min: 1, max: 100_000_000 }), (now, from, to, minor) => {
      const rate = rateAt(now, from, to)
      const destination = given(to, minor)
      const { sourceAmount, destinationAmount } = quoteAmounts({
        rate,
        sourceCurrency: from,
        destinationCurrency: to,
        destinationAmount: Number(destination),
      })
      const exact = wholeOf(destination) * minorUnits(from)
      const rounded = roundedHalfUp(exact, wholeOf(rate.toString()))
      expect(inMinorUnits(sourceAmount.toString(), from)).toBe(rounded === 0n ? 1n : rounded)
      expect(destinationAmount.equals(amount(destination))).toBe(true)
    }),
    { numRuns: cases(20_000) },
  )
})

test('a given amount with more decimals than its currency has is rounded half up, and the other one follows from that', () => {
  const excess = fc.integer({ min: 1, max: 99_999 })
  fc.assert(
    fc.property(instants, currencies, currencies, fc.nat(1_000_000), excess, (now, from, to, minor, more) => {
      const rate = rateAt(now, from, to)
      const whole = given(from, minor)
      const exact = `${whole}${whole.includes('.') ? '' : '.'}${String(more).padStart(5, '0')}`
      const amounts = { rate, sourceCurrency: from, destinationCurrency: to }
      const { sourceAmount, destinationAmount } = quoteAmounts({ ...amounts, sourceAmount: Number(exact) })
      const rounded = roundedHalfUp(wholeOf(exact) * minorUnits(from), 10n ** scale)
      expect(inMinorUnits(sourceAmount.toString(), from)).toBe(rounded)
      const again = quoteAmounts({ ...amounts, sourceAmount: sourceAmount.toNumber() })
      expect(destinationAmount.equals(again.destinationAmount)).toBe(true)
      const back = { rate, sourceCurrency: to, destinationCurrency: from, destinationAmount: Number(exact) }
      expect(inMinorUnits(quoteAmounts(back).destinationAmount.toString(), from)).toBe(rounded)
    }),
    { numRuns: cases(10_000) },
  )
})

test.each([
  ['0.5', 1, 'IDR', '1'],
  ['0.4999999999', 1, 'IDR', '0'],
  ['16300.5', 1, 'IDR', '16301'],
  ['1.005', 1, 'HKD', '1.01'],
  ['1', 1.005, 'HKD', '1.01'],
  ['1', 5.555, 'HKD', '5.56'],
  ['1.0049999999', 1, 'HKD', '1'],
  ['1389.5', 1, 'KRW', '1390'],
])('a half is rounded up: at the rate %s, %d is %s %s', (rate, sourceAmount, destinationCurrency, expected) => {
  const { destinationAmount } = quoteAmounts({
    rate: amount(rate),
    sourceCurrency: 'USD',
    destinationCurrency,
    sourceAmount,
  })
  expect(destinationAmount.toString()).toBe(expected)
})

test.each([
  ['5', 'USD', '1389', '0.01'],
  ['1', 'KRW', '0.0007', '1429'],
  ['0.01', 'KRW', '7.8', '1'],
  ['0.01', 'HKD', '1', '0.01'],
])('%s are received for %s at the rate %s: %s is sent', (destinationAmount, sourceCurrency, rate, expected) => {
  const amounts = quoteAmounts({
    rate: amount(rate),
    sourceCurrency,
    destinationCurrency: 'HKD',
    destinationAmount: Number(destinationAmount),
  })
  expect(amounts.sourceAmount.toString()).toBe(expected)
  expect(amounts.destinationAmount.toString()).toBe(destinationAmount)
})
