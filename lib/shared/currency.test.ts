import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatAmount, minorUnitDigits } from './currency.ts'

test.each([
  ['12480.5', 'HKD', '12,480.50'],
  ['-3905', 'HKD', '−3,905.00'],
  [0, 'USD', '0.00'],
  [50412500, 'IDR', '50,412,500'],
  ['12.5', 'JOD', '12.500'],
  [12500, 'XAF', '12,500'],
  [1.999, 'USD', '1.999'],
  [0.1234567891, 'BHD', '0.1234567891'],
  [1e-9, 'USD', '0.000000001'],
  ['9999999999999.99', 'USD', '9,999,999,999,999.99'],
] as const)('shows %s %s as %s', (value, currency, shown) => {
  expect(formatAmount(value, currency)).toBe(shown)
})

test('shows a plus for a signed amount, and none for zero', () => {
  expect(formatAmount(420, 'HKD', { signed: true })).toBe('+420.00')
  expect(formatAmount(0, 'HKD', { signed: true })).toBe('0.00')
})

test('never rounds: what is shown reads back as the same amount in every currency', () => {
  const currencies = ['USD', 'HKD', 'EUR', 'CNH', 'JPY', 'IDR', 'KRW', 'XXX']
  fc.assert(
    fc.property(
      fc.constantFrom(...currencies),
      fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
      (currency, units) => {
        const digits = minorUnitDigits(currency)
        const magnitude = (units < 0n ? -units : units).toString().padStart(digits + 1, '0')
        const text = `${units < 0n ? '-' : ''}${magnitude.slice(0, magnitude.length - digits)}${digits ? `.${magnitude.slice(-digits)}` : ''}`
        const shown = formatAmount(text, currency).replaceAll(',', '').replace('−', '-')
        expect(shown).toBe(text === '-0' ? '0' : text)
      },
    ),
    { numRuns: 10_000 },
  )
})
