import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { destinationFields, toParties, type PayoutEntry } from '#lib/contract/payout-entry.ts'
import { submissionRows, type Submission } from './submit-dialog.tsx'

const emptyBeneficiary = Object.fromEntries(destinationFields.map((field) => [field, ''])) as PayoutEntry['destination']
const everything: PayoutEntry['destination'] = {
  bankCode: '088',
  accountNumber: '6222020200012345678',
  firstName: 'Minji',
  surname: 'Kim',
  firstNameCN: '敏智',
  surnameCN: '金',
  address: '26 Eulji-ro, Jung-gu, Seoul 04533',
  mobileNumber: '+852 6123-4567',
  email: 'minji@example.com',
}

function submissionOf(entry: Partial<PayoutEntry>): Submission {
  return {
    held: {
      quote: {
        id: 'b4210000-0000-4000-8000-000000004354',
        sourceAmount: '100',
        sourceCurrency: 'HKD',
        destinationAmount: '17500',
        destinationCurrency: 'KRW',
        destinationCountry: 'KR',
        rate: '175',
      },
    },
    entry: { method: 'BANK_TRANSFER', destination: emptyBeneficiary, source: { mobileNumber: '' }, ...entry },
    details: { purpose: 'salary', sourceOfFunds: 'business', remarks: ' May ', xid: 'PAY-1' },
    account: { name: 'HKD operating account', currency: 'HKD', available: 50 },
  } as Submission
}

function textOf(submission: Submission): string {
  return submissionRows(submission, submission.entry.destination.bankCode || null)
    .flatMap((fact) => (fact ? [`${fact.label} ${renderToString(fact.value)}`] : []))
    .join(' ')
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, '')
}

const pairs: Pick<PayoutEntry, 'method' | 'destinationCountry' | 'destinationCurrency'>[] = [
  { method: 'BANK_TRANSFER', destinationCountry: 'KR', destinationCurrency: 'KRW' },
  { method: 'BANK_TRANSFER', destinationCountry: 'ID', destinationCurrency: 'IDR' },
  { method: 'NETWORK_CARD', destinationCountry: 'CN', destinationCurrency: 'CNY' },
]

test.each(pairs)('everything that $method to $destinationCountry sends is in the summary, as it is sent', (pair) => {
  const submission = submissionOf({ ...pair, destination: everything, source: { mobileNumber: '+852 9000 0000' } })
  const shown = textOf(submission)
  const { destination, source } = toParties(submission.entry)
  for (const value of [...Object.values(destination), ...Object.values(source ?? {})]) {
    expect(shown.replaceAll(/(?<=\d{4}) (?=\d)/g, '')).toContain(value)
  }
  for (const text of [
    'Salary, from business',
    'Remarks May',
    'External ID PAY-1',
    'HKD operating account, available',
  ]) {
    expect(shown).toContain(text)
  }
})

test('a card number is grouped; what is not sent has no line, and a bank that was not chosen is named', () => {
  const card = submissionOf({ method: 'NETWORK_CARD', destination: everything })
  expect(textOf(card)).toContain('Card number 6222 0202 0001 2345 678')
  expect(textOf(card)).not.toContain('mobile')
  expect(textOf(card)).not.toMatch(/Bank\b/)
  expect(textOf(submissionOf({}))).not.toMatch(/Address|e-mail|mobile/)
  expect(textOf(submissionOf({}))).toContain('Bank None chosen')
  expect(textOf(submissionOf({}))).toContain('not enough: it would be refused')
})
