import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { amount } from '#lib/shared/money.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { rateAt, rateCurrencies, rateStepMs } from './rates.ts'

const instants = fc.date({ min: new Date('2025-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
const currencies = fc.constantFrom(...rateCurrencies)

test('every currency of the interface’s payouts and simulators has rates', () => {
  expect(rateCurrencies).toEqual(
    expect.arrayContaining(['USD', 'HKD', 'EUR', 'GBP', 'CNH', 'CNY', 'JPY', 'SGD', 'PHP', 'INR', 'IDR', 'KRW']),
  )
})

test('a → b and b → a agree, and a → b → c is a → c', () => {
  fc.assert(
    fc.property(instants, currencies, currencies, currencies, (now, a, b, c) => {
      const there = rateAt(now, a, b)
      expect(
        there
          .times(rateAt(now, b, a))
          .minus(1)
          .abs()
          .lessThan('1e-8'),
      ).toBe(true)
      const around = there.times(rateAt(now, b, c)).dividedBy(rateAt(now, a, c))
      expect(around.minus(1).abs().lessThan('1e-8')).toBe(true)
    }),
    { numRuns: cases(5_000) },
  )
})

test('a rate is the same at the same time, constant for a step, and then moves', () => {
  const start = new Date(Math.floor(Date.UTC(2026, 10, 21) / rateStepMs) * rateStepMs)
  const at = (ms: number) => rateAt(new Date(start.getTime() + ms), 'USD', 'IDR').toString()
  expect(at(rateStepMs - 1)).toBe(at(0))
  const steps = Array.from({ length: 1_000 }, (_, step) => at(step * rateStepMs))
  const moved = steps.filter((rate, step) => rate !== steps[step - 1])
  expect(moved.length).toBeGreaterThan(950)
})

test('rates stay plausible: the Hong Kong dollar in its band, no step above 0.25 %, ten digits at most', () => {
  fc.assert(
    fc.property(instants, currencies, (now, currency) => {
      const hkd = rateAt(now, 'USD', 'HKD').toNumber()
      expect(hkd).toBeGreaterThanOrEqual(7.75)
      expect(hkd).toBeLessThanOrEqual(7.85)
      const rate = rateAt(now, currency, 'USD')
      const next = rateAt(new Date(now.getTime() + rateStepMs), currency, 'USD')
      expect(next.dividedBy(rate).minus(1).abs().lessThan('0.0025')).toBe(true)
      expect(rate.precision()).toBeLessThanOrEqual(10)
      expect(amount(rate.toNumber()).equals(rate)).toBe(true)
    }),
    { numRuns: cases(5_000) },
  )
})

test('refuses a currency without rates', () => {
  expect(() => rateAt(new Date(), 'XXX', 'USD')).toThrow(TypeError)
  expect(() => rateAt(new Date(), 'USD', 'constructor')).toThrow(TypeError)
})
