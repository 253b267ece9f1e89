import { expect, test } from 'vitest'
import { authorizationTypeLabel, effectText } from './transaction-meanings.ts'

test('an unknown type is shown as sent', () => {
  expect(authorizationTypeLabel('ATM')).toMatch(/machine/)
  expect(authorizationTypeLabel('toString')).toBe('toString')
})

test.each([
  ['DEBIT', 'posted', /^Added to/],
  ['CREDIT', 'pending', /^Taken from/],
  ['CREDIT', 'settling', /not known/],
  ['SIDEWAYS', 'posted', /Direction unknown/],
])('a %s entry that is %s describes its effect', (entryType, status, meaning) => {
  expect(effectText({ entryType: entryType as 'DEBIT', status })).toMatch(meaning)
})

test('an entry that is declined or void has no effect', () => {
  for (const status of ['declined', 'void']) expect(effectText({ entryType: 'DEBIT', status })).toBe(null)
})
