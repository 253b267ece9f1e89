import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minorUnitDigits } from './currency.ts'
import { amount, fitsMinorUnit, roundToMinorUnit, sum, toWire } from './money.ts'

const currencies = ['USD', 'HKD', 'EUR', 'GBP', 'CNH', 'CNY', 'JPY', 'SGD', 'PHP', 'INR', 'IDR', 'KRW']

/** Half away from zero in whole numbers: the oracle that knows no decimals. */
function roundByBigInt(units: bigint, decimals: number, digits: number): bigint {
  const drop = 10n ** BigInt(Math.max(0, decimals - digits))
  const magnitude = units < 0n ? -units : units
  const rounded = (magnitude + drop / 2n) / drop
  return units < 0n ? -rounded : rounded
}

function textOf(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals > 0 ? `.${digits.slice(-decimals)}` : ''
  return `${units < 0n ? '-' : ''}${whole}${fraction}`
}

test('rounds half up to the minor unit of every currency like a whole-number oracle', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...currencies),
      fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
      fc.integer({ min: 3, max: 8 }),
      (currency, units, decimals) => {
        const digits = minorUnitDigits(currency)
        const rounded = roundToMinorUnit(amount(textOf(units, decimals)), currency)
        expect(rounded.toFixed(digits)).toBe(
          amount(textOf(roundByBigInt(units, decimals, digits), digits)).toFixed(digits),
        )
      },
    ),
    { numRuns: 10_000 },
  )
})

test('an amount of 15 digits goes through a JSON number and back unchanged', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }),
      fc.integer({ min: 0, max: 6 }),
      (units, decimals) => {
        const exact = amount(textOf(units, decimals))
        const wire = JSON.parse(JSON.stringify(toWire(exact))) as number
        expect(amount(wire).equals(exact)).toBe(true)
      },
    ),
    { numRuns: 10_000 },
  )
})

test('refuses to put an amount on the wire that a JSON number would change', () => {
  expect(() => toWire('12345678901234.567')).toThrow(TypeError)
})

test('sums of cents are exact', () => {
  expect(sum(Array.from({ length: 1000 }, () => '0.10')).toString()).toBe('100')
  expect(sum([0.1, 0.2]).toString()).toBe('0.3')
})

test('rounds 1.005 up, which binary floating point does not', () => {
  expect(roundToMinorUnit(amount('1.005'), 'USD').toFixed(2)).toBe('1.01')
})

test('never puts a negative zero on the wire', () => {
  expect(Object.is(toWire('-0'), 0)).toBe(true)
})

test('rupiah, won and yen have no decimals', () => {
  expect(fitsMinorUnit(amount('1.5'), 'IDR')).toBe(false)
  expect(fitsMinorUnit(amount('1.5'), 'HKD')).toBe(true)
})

test.each(['', 'abc', 'NaN', 'Infinity', '1,000'])('refuses "%s" as an amount', (text) => {
  expect(() => amount(text)).toThrow()
})
