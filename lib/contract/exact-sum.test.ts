import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amount, sum } from '#lib/shared/money.ts'
import { compareAmounts, exactSum, isDifferent, isEqual, isLess, isMore, negated, partialSum } from './exact-sum.ts'

test('adds without binary loss', () => {
  expect(exactSum([0.1, 0.2])).toBe('0.3')
  expect(exactSum(['-0.30', 0.1, 0.2])).toBe('0')
  expect(exactSum([])).toBe('0')
  expect(exactSum(['9999999999999.99', 0.01])).toBe('10000000000000')
})

test('agrees with the decimal library on any amounts', () => {
  const amounts = fc.array(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }).map((cents) => cents / 100))
  fc.assert(fc.property(amounts, (list) => exactSum(list) === sum(list).toString()))
})

test('differences of rates are exact to fifteen decimals', () => {
  const decimal = fc
    .tuple(fc.bigInt(-(10n ** 14n), 10n ** 14n), fc.integer({ min: 0, max: 12 }))
    .map(([digits, places]) => amount(`${digits}e-${places}`).toString())
  fc.assert(
    fc.property(decimal, decimal, (before, after) => {
      expect(exactSum([after, negated(before)])).toBe(amount(after).minus(before).toString())
    }),
  )
})

test('compares text and numbers alike', () => {
  expect(compareAmounts('0.10', 0.1)).toBe(0)
  expect(compareAmounts(-1, '-0.5')).toBe(-1)
  expect(compareAmounts('2', 1)).toBe(1)
})

test('an amount that is not known compares in no way and is not 0 in a sum', () => {
  for (const compare of [isLess, isMore, isEqual, isDifferent]) {
    expect([compare(null, 0), compare(0, undefined), compare(null, null)]).toEqual([false, false, false])
  }
  expect([isLess('-1', 0), isMore(1, '0.5'), isEqual('0.10', 0.1), isDifferent(1, 2)]).not.toContain(false)
  expect([isLess(1, 1), isMore(1, 1), isEqual(1, 2), isDifferent('1.0', 1)]).not.toContain(true)
  expect([exactSum(['1', null]), negated(null)]).toEqual([null, null])
  expect(partialSum(['1', null, 2])).toEqual({ sum: '3', missing: 1 })
  expect(partialSum([null]).sum).toBeNull()
})

test('negating an amount changes only its sign, and zero has no sign', () => {
  expect(['-12.50', '3', 0.1, '0', '-0.00'].map(negated)).toEqual(['12.50', '-3', '-0.1', '0', '0'])
})
