import { expect, test } from 'vitest'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { approvalText, authorizationTypeLabel, effectText } from './transaction-meanings.ts'

test('a response shows its message and its code, whichever is provided', () => {
  const response = (responseMessage?: string, responseCode?: string) =>
    approvalText({ authorization: { responseMessage, responseCode } } as CardAccountTransaction)
  expect(response('Approved', '00')).toBe('Approved (response code 00)')
  expect(response('Approved')).toBe('Approved')
  expect(response(undefined, '00')).toBe('response code 00')
  expect(response()).toBe(null)
  expect(approvalText({ authorization: null } as CardAccountTransaction)).toBe(null)
})

test('an unknown type is shown as sent', () => {
  expect(authorizationTypeLabel('ATM')).toMatch(/machine/)
  expect(authorizationTypeLabel('toString')).toBe('toString')
})

test.each([
  ['DEBIT', 'posted', /^Added to/],
  ['CREDIT', 'pending', /^Taken from/],
  ['CREDIT', 'settling', /not known/],
  ['SIDEWAYS', 'posted', /Direction unknown/],
])('a %s entry that is %s describes its effect', (entryType, status, labels) => {
  expect(effectText({ entryType: entryType as 'DEBIT', status })).toMatch(labels)
})

test('an entry that is declined or void has no effect', () => {
  for (const status of ['declined', 'void']) expect(effectText({ entryType: 'DEBIT', status })).toBe(null)
})
