import { expect, test } from 'vitest'
import { countryInSentence, countryLabel } from './country-names.ts'
import { bankCountries } from './terms.ts'

test('every country has one name; an unknown code is shown as it is', () => {
  expect(bankCountries.map(countryLabel)).toEqual([
    'Hong Kong',
    'Philippines',
    'India',
    'Indonesia',
    'South Korea',
    'Mainland China',
  ])
  expect(['US', 'MO', 'TR'].map(countryLabel)).toEqual(['United States', 'Macau', 'Türkiye'])
  expect(countryLabel('ZZ')).toBe('ZZ')
  expect(countryLabel('constructor')).toBe('constructor')
})

test('a country takes its article in a sentence', () => {
  expect(['PH', 'US', 'ID', 'ZZ'].map(countryInSentence)).toEqual([
    'the Philippines',
    'the United States',
    'Indonesia',
    'ZZ',
  ])
})
