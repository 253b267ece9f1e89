import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '#lib/shared/testing/cases.ts'
import { invertRate, computeMovement } from './history.ts'

const at = new Date('2026-11-21T06:00:00.000Z')

/** A rate as its text and as a whole number of 10⁻¹⁴. */
const rates = fc.tuple(fc.bigInt(1n, 10n ** 10n - 1n), fc.integer({ min: 0, max: 14 })).map(([digits, places]) => {
  const padded = digits.toString().padStart(places + 1, '0')
  const text = places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`
  return { text, scaled: digits * 10n ** BigInt(14 - places) }
})

const halfUp = (numerator: bigint, denominator: bigint) => (2n * numerator + denominator) / (2n * denominator)

test('a movement in % is the one of whole-number arithmetic, rounded half away from zero to four places', () => {
  fc.assert(
    fc.property(rates, rates, (from, to) => {
      const movement = computeMovement({ at, rate: from.text }, to.text)
      const difference = to.scaled - from.scaled
      const size = difference < 0n ? -difference : difference
      const expected = halfUp(size * 1_000_000n, from.scaled)
      expect(BigInt(movement.percent.replace(/[-.]/g, ''))).toBe(expected)
      expect(movement.direction).toBe(difference === 0n ? 'same' : difference < 0n ? 'down' : 'up')
      expect(movement.percent.startsWith('-')).toBe(difference < 0n && expected > 0n)
      expect(movement.percent).toMatch(/^-?\d+\.\d{4}$/)
    }),
    { numRuns: cases(10_000) },
  )
})

test('a movement names its starting rate', () => {
  expect(computeMovement({ at, rate: '7.80' }, '7.81')).toEqual({
    direction: 'up',
    percent: '0.1282',
    against: { at: '2026-11-21T06:00:00.000Z', rate: '7.80' },
  })
  expect(computeMovement({ at, rate: '7.800000001' }, '7.8')).toMatchObject({ direction: 'down', percent: '0.0000' })
})

test('an inverse is 1 ÷ rate to ten significant digits, written out', () => {
  expect(invertRate('7.8')).toBe('0.1282051282')
  fc.assert(
    fc.property(rates, ({ text, scaled }) => {
      const inverse = invertRate(text)
      expect(inverse).toMatch(/^\d+(\.\d*[1-9])?$/)
      const [whole = '', fraction = ''] = inverse.split('.')
      const product = BigInt(whole + fraction) * scaled
      const one = 10n ** BigInt(14 + fraction.length)
      const error = product > one ? product - one : one - product
      expect(error * 10n ** 9n <= one).toBe(true)
    }),
    { numRuns: cases(2_000) },
  )
})
