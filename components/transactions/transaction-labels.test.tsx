import { expect, test } from 'vitest'
import {
  declineReason,
  responseText,
  disputeStatusEntry,
  intentLabel,
  transactionStatusEntry,
} from './transaction-labels.ts'

test('an unknown value is shown as sent', () => {
  expect(transactionStatusEntry('settling').label).toBe('settling')
  expect(disputeStatusEntry('toString').label).toBe('toString')
  expect(intentLabel('loyalty')).toBe('loyalty')
})

const authorization = {
  id: 'a',
  currency: 'HKD',
  amount: 1,
  createdAt: '2026-11-20T00:00:00.000Z',
  type: 'PURCHASE',
  responseCode: '61',
  responseMessage: 'Exceeds the daily limit',
  cardPresent: true,
}
type Transaction = Parameters<typeof declineReason>[0]

test('a response shows its message and its code, whichever is provided', () => {
  const response = (responseMessage?: string, responseCode?: string) =>
    responseText({ authorization: { responseMessage, responseCode } } as Transaction)
  expect(response('Approved', '00')).toBe('Approved (response code 00)')
  expect(response('Approved')).toBe('Approved')
  expect(response(undefined, '00')).toBe('response code 00')
  expect(response()).toBe(null)
  expect(responseText({ authorization: null } as Transaction)).toBe(null)
})

test('a declined charge gives its reason and its code; another transaction gives none', () => {
  expect(declineReason({ status: 'declined', authorization } as Transaction)).toBe(
    'Exceeds the daily limit (response code 61)',
  )
  expect(declineReason({ status: 'declined', authorization: null } as Transaction)).toBe('no reason given')
  expect(declineReason({ status: 'posted', authorization } as Transaction)).toBeUndefined()
})
