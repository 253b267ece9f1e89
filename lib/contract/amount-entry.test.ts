import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatAmount, minorUnitDigits } from '#lib/shared/currency.ts'
import { amount, toWire } from '#lib/shared/money.ts'
import { readAmount } from './amount-entry.ts'
import { payoutPairs } from './payout-rules.ts'

const currencies = [
  ...new Set(['HKD', 'USD', ...Object.values(payoutPairs).flatMap((pairs) => Object.values(pairs).flat())]),
]

test.each(currencies)(
  'an amount in %s passes screen, entry and wire without a changed digit, in 1,000 draws',
  (currency) => {
    const decimals = minorUnitDigits(currency)
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 13n - 1n), (units) => {
        const digits = units.toString().padStart(decimals + 1, '0')
        const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
        const exact = amount(text).toString()
        const shown = formatAmount(exact, currency)
        const entered = readAmount(shown, currency)
        expect(entered).toEqual({ amount: exact })
        const wire = JSON.stringify(toWire(exact))
        expect(amount(JSON.parse(wire) as number).toString()).toBe(exact)
        expect(formatAmount(JSON.parse(wire) as number, currency)).toBe(shown)
      }),
      { numRuns: 1000 },
    )
  },
)

test.each([
  ['25000', '25000'],
  [' 25,000.50 ', '25000.5'],
  ['25 000', '25000'],
  ["25'000", '25000'],
  ['25\u00a0000.00', '25000'],
  ['0050', '50'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['0.05', '0.05'],
  ['1,234,567.89', '1234567.89'],
  ['9999999999999', '9999999999999'],
])('%j is read as %s', (typed, exact) => {
  expect(readAmount(typed, 'HKD')).toEqual({ amount: exact })
})

test.each([
  ['', /required/],
  ['  ', /required/],
  ['0', /greater than 0/],
  ['0.00', /greater than 0/],
  ['-5', /greater than 0/],
  ['−5', /greater than 0/],
  ['1,5', /must be a number/],
  ['12,34,567', /must be a number/],
  ['1.2.3', /must be a number/],
  ['1e3', /must be a number/],
  ['NaN', /must be a number/],
  ['Infinity', /must be a number/],
  ['٥٠', /must be a number/],
  ['５０', /must be a number/],
  ['HKD 5', /must be a number/],
  ['10000000000000', /below 10,000,000,000,000/],
  ['1234567890.123456', /15 digits/],
])('%j is refused', (typed, problem) => {
  const entered = readAmount(typed, 'HKD')
  expect('problem' in entered ? entered.problem : entered.amount).toMatch(problem)
})

test.each([
  ['1,234', 'KWD', { problem: expect.stringMatching(/two ways, as KWD has three decimals: write 1234 or 1\.234/) }],
  [' 12,345 ', 'BHD', { problem: expect.stringMatching(/two ways/) }],
  ['1,234.000', 'KWD', { amount: '1234' }],
  ['1,234,567', 'KWD', { amount: '1234567' }],
  ["1'234", 'KWD', { amount: '1234' }],
  ['1.234', 'KWD', { amount: '1.234' }],
  ['1,234', 'HKD', { amount: '1234' }],
  ['1,234', 'JPY', { amount: '1234' }],
  ['1,234', null, { amount: '1234' }],
])(
  '%j in %s: a lone comma before three digits is asked about where it may begin the decimals',
  (typed, currency, entered) => {
    expect(readAmount(typed, currency)).toEqual(entered)
  },
)
