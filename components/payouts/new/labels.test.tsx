import { expect, test } from 'vitest'
import { payoutMethodLabel, purposeLabel, sourceOfFundsLabel } from '../code-labels.ts'
import { caretAfter, groupedDigits, problemSentence } from './labels.ts'
import { unavailableReasons } from './new-payout-screen.tsx'

test.each([
  ['destination.address', 'must be longer than 20 characters', 'The address must be longer than 20 characters.'],
  ['destination.firstName', 'is required for BANK_TRANSFER', 'The first name is required.'],
  ['destinationAmount', 'must be at least 50000 IDR', 'The amount that they receive must be at least 50,000 IDR.'],
  ['destinationAmount', 'must be an integer in IDR', 'The amount that they receive must be a whole number of IDR.'],
  [
    'destination.email',
    'is required when destination.mobileNumber does not start with +82',
    'The beneficiary’s e-mail is required when the beneficiary’s mobile number does not start with +82.',
  ],
  ['destinationCountry', 'must be one of CN for NETWORK_CARD', 'The country must be one of CN for a card payout.'],
  [
    'sourceAmount',
    'must produce at least 50000 IDR, and produces 3150 IDR',
    'The amount that you send must produce at least 50,000 IDR, and produces 3,150 IDR.',
  ],
  [
    'similarShown',
    'names not every payout of this amount to this beneficiary. Get a new quote to see them',
    'The warning names not every payout of this amount to this beneficiary. Get a new quote to see them.',
  ],
])('%s %j is shown as a sentence', (path, message, sentence) => {
  expect(problemSentence(path, message, 'BANK_TRANSFER')).toBe(sentence)
})

test('the number of a card payout is a card number', () => {
  expect(problemSentence('destination.accountNumber', 'must be 16 to 19 digits', 'NETWORK_CARD')).toBe(
    'The card number must be 16 to 19 digits.',
  )
})

test('an unknown code is shown as sent', () => {
  expect([purposeLabel('moon'), sourceOfFundsLabel('moon'), payoutMethodLabel('MOON')]).toEqual([
    'moon',
    'moon',
    'MOON',
  ])
  expect(payoutMethodLabel('NETWORK_CARD')).toBe('Card payout')
  expect(purposeLabel('constructor')).toBe('constructor')
})

test('digits are grouped in fours, and the caret stays after the typed digit', () => {
  expect(['', '6222', '62220', '6222020200012345678'].map(groupedDigits)).toEqual([
    '',
    '6222',
    '6222 0',
    '6222 0202 0001 2345 678',
  ])
  for (let count = 0; count <= 19; count += 1) {
    const grouped = groupedDigits('6222020200012345678'.slice(0, count))
    expect(caretAfter(count), `after ${count} digits`).toBe(grouped.length)
  }
})

test.each([
  [{}, undefined],
  [{ isOffered: false }, /switched off for production/],
  [{ isOutcomeOpen: true }, /isn’t confirmed yet/],
  [{ outdated: 'edited' as const }, /changed details/],
  [{ outdated: 'refused' as const }, /can’t be used/],
  [{ state: 'expired' as const }, /expired/],
  [{ state: 'last-call' as const }, /within five seconds/],
  [{ isRequesting: true }, /new quote/],
])('submitting with %o', (change, reason) => {
  const fine = {
    environment: 'production' as const,
    isOffered: true,
    state: 'open' as const,
    outdated: null,
    isRequesting: false,
    isOutcomeOpen: false,
  }
  const { submitting, isSaidAbove } = unavailableReasons({ ...fine, ...change })
  if (reason === undefined) expect(submitting).toBeUndefined()
  else expect(submitting).toMatch(reason)
  // The notice of the quote says it: it is not said twice.
  expect(isSaidAbove).toBe('outdated' in change || ('state' in change && change.state === 'expired'))
})
