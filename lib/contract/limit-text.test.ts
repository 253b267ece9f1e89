import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { amount, fitsMinorUnit, toWire } from '#lib/shared/money.ts'
import { limitProblem, plainLimit } from './limit-text.ts'

test.each([
  ['0', 'HKD', null],
  ['1234.50', 'HKD', null],
  [' 10.500 ', 'HKD', 'may be read in two ways'],
  ['1.000', 'HKD', 'may be read in two ways'],
  ['1234.500', 'HKD', null],
  ['0.500', 'HKD', null],
  ['1000.00', 'JPY', null],
  ['999999999999.99', 'USD', null],
  ['', 'HKD', 'must be given'],
  ['-1', 'HKD', 'no sign'],
  ['+1', 'HKD', 'no sign'],
  ['1,000', 'HKD', null],
  ['25,000.00', 'HKD', null],
  ["1'234.5", 'HKD', null],
  ['1,234.000', 'KWD', null],
  ['1,234,567', 'KWD', null],
  ['1,234', 'KWD', 'may be read in two ways'],
  ['1,234', 'OMR', 'may be read in two ways'],
  ['1.234', 'TND', null],
  ['10.5', 'ISK', 'must be whole'],
  ['1,50', 'HKD', 'commas only between thousands'],
  ['1,0000', 'HKD', 'commas only between thousands'],
  ['1000,000', 'HKD', 'commas only between thousands'],
  ['0,500', 'HKD', 'commas only between thousands'],
  ['1.234,50', 'HKD', 'commas only between thousands'],
  ['1.234.567', 'HKD', 'commas only between thousands'],
  ["1,234'567", 'HKD', 'commas only between thousands'],
  ['1 234', 'HKD', null],
  [',234', 'HKD', 'commas only between thousands'],
  ['-1,234', 'HKD', 'no sign'],
  ['1,000,000,000,000', 'HKD', 'must be below'],
  ['1,234.567', 'HKD', 'at most 2 decimals'],
  ['1e3', 'HKD', 'plain number'],
  ['12.', 'HKD', 'plain number'],
  ['１２', 'HKD', 'plain number'],
  ['0x10', 'HKD', 'plain number'],
  ['10.005', 'HKD', 'at most 2 decimals, as HKD has'],
  ['10.5', 'JPY', 'must be whole'],
  ['10.123456', 'USDT', null],
  ['1000000000000', 'HKD', 'must be below'],
  ['0001000000000000', 'HKD', 'must be below'],
])('“%s” as a limit in %s', (text, currency, problem) => {
  const found = limitProblem(text, currency)
  if (problem === null) expect(found).toBeNull()
  else expect(found).toContain(problem)
})

test('thousands are ungrouped and nothing else of a text is changed', () => {
  const texts = [' 25,000.00 ', "1'234", '1’234’567', '1234.50', '1,50', '1,234.5,6', 'x']
  expect(texts.map(plainLimit)).toEqual(['25000.00', '1234', '1234567', '1234.50', '1,50', '1,234.5,6', 'x'])
})

test('a text without a problem is an amount of the currency that a JSON number carries', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.stringMatching(/^\d{1,14}(\.\d{1,4})?$/),
        fc.stringMatching(/^\d{1,3}([,.']\d{2,4}){1,4}$/),
      ),
      fc.constantFrom('HKD', 'JPY', 'KWD'),
      (text, currency) => {
        if (limitProblem(text, currency) !== null) return
        const value = amount(plainLimit(text))
        expect(fitsMinorUnit(value, currency)).toBe(true)
        expect(toWire(value)).toBeGreaterThanOrEqual(0)
      },
    ),
  )
})
