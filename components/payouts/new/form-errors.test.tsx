import { expect, test } from 'vitest'
import { type Choices, toPayoutEntry } from './draft.ts'
import { shownErrors, validatedPaths } from './form-errors.ts'

const choices: Choices = { method: 'BANK_TRANSFER', country: 'PH', currency: 'PHP', side: 'source' }
const entry = toPayoutEntry(choices, {}, 'HKD')
const wrong = { remarks: 'is required', sourceAmount: 'is required', 'destination.surname': 'is required' }
const shown = (flagged: readonly string[], refused = {}) => [
  ...shownErrors(entry, { wrong, flagged: new Set(flagged), refused }).keys(),
]

test('what is wrong shows where a button was pressed, in the order of the form', () => {
  expect(shown([])).toEqual([])
  expect(shown(['remarks'])).toEqual(['remarks'])
  expect(shown(Object.keys(wrong))).toEqual(['destination.surname', 'sourceAmount', 'remarks'])
})

test('what the service refused shows as well, in its place, and fields that the form does not have at the end', () => {
  const refused = { quoteId: 'has expired', 'destination.accountNumber': 'is not valid' }
  expect(shown(['remarks'], refused)).toEqual(['destination.accountNumber', 'remarks', 'quoteId'])
})

test('of two problems of a field its own rule shows', () => {
  const refused = { remarks: 'must not be rude' }
  const text = (flagged: string[]) => shownErrors(entry, { wrong, flagged: new Set(flagged), refused }).get('remarks')
  expect(text([])).toMatch(/must not be rude/)
  expect(text(['remarks'])).not.toMatch(/must not be rude/)
})

test('the validation takes the beneficiary, and the amount where one was entered', () => {
  const paths = [...Object.keys(wrong), 'accountId']
  expect(validatedPaths(entry, paths)).toEqual(['destination.surname'])
  expect(validatedPaths({ ...entry, amount: '12' }, paths)).toEqual(['sourceAmount', 'destination.surname'])
})
