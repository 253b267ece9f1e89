import { expect, test } from 'vitest'
import { cases } from '#lib/shared/testing/cases.ts'
import { seededCardNumber } from './card-number.ts'

const serialLimit = 9_000_000

test('serials give numbers that differ from each other and from issued ones', () => {
  const step = Math.ceil(serialLimit / cases(200_000))
  const serials = new Set<number>()
  for (let serial = 0; serial < serialLimit; serial += step) serials.add(serial)
  for (let back = 1; back <= cases(10_000); back++) serials.add(serialLimit - back)
  const numbers = [...serials].map((serial) => seededCardNumber(serial))
  // Without the check digit, which alone would make two numbers differ.
  expect(new Set(numbers.map((number) => number.slice(0, 15))).size).toBe(serials.size)
  expect(numbers.every((number) => /^99990\d{11}$/.test(number))).toBe(true)
})
