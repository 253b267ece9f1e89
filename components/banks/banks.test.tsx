import { expect, test } from 'vitest'
import { bankCountries } from '#lib/contract/terms.ts'
import { ReadError } from '#lib/queries/read.ts'
import { fieldProblem } from '../environment/when-read.tsx'
import { countryName } from './bank-params.ts'
import { checkCountry, checkWireCode } from './banks-screen.tsx'

test('each country of the contract can be chosen and has a name', () => {
  expect(bankCountries.filter((code) => countryName(code) === null)).toEqual([])
  expect(countryName('toString')).toBeNull()
})

test('an invalid code is reported before it is sent', () => {
  expect(['HK', 'ZZ'].map(checkCountry)).toEqual([undefined, undefined])
  for (const wrong of ['', 'H', 'HKG', 'hk', '12', 'H ']) expect(checkCountry(wrong)).toContain('two capital letters')
  expect(checkWireCode('HSBCHKHH')).toBeUndefined()
  expect(checkWireCode('')).toContain('Enter a wire code')
  expect(checkWireCode('A'.repeat(35))).toBeUndefined()
  expect(checkWireCode('A'.repeat(36))).toContain('at most 35 characters; this has 36')
  expect(checkWireCode('4242 4242 4242 4242')).toContain('looks like a card number')
})

test('an error about the entered value is shown at the field, other errors are not', () => {
  const error = new ReadError(404, 'BANK_NOT_FOUND', 'No bank.', 'r-1')
  expect(fieldProblem(error, ['BANK_NOT_FOUND'])).toBe('No bank. Request r-1.')
  expect(fieldProblem(error, ['COUNTRY_NOT_FOUND'])).toBeUndefined()
  expect(fieldProblem(new Error('x'), ['BANK_NOT_FOUND'])).toBeUndefined()
})
