import { expect, test } from 'vitest'
import { fieldsOfError } from './entry.ts'

const korea = { method: 'BANK_TRANSFER', destinationCountry: 'KR', destinationCurrency: 'KRW' } as const

test('every part of an error goes back to its field, with a colon or without', () => {
  expect(
    fieldsOfError(
      'destination.email: must be an e-mail address; destination.address must be longer than 20 characters, and have at least one space; sourceAmount: must produce at least 5 KRW, and produces 0',
      korea,
    ),
  ).toEqual({
    fields: {
      'destination.email': 'must be an e-mail address',
      'destination.address': 'must be longer than 20 characters, and have at least one space',
      sourceAmount: 'must produce at least 5 KRW, and produces 0',
    },
    rest: [],
  })
})

test('several problems of one field are one sentence; the wire’s other names are known', () => {
  expect(fieldsOfError('amount: must be an integer in KRW; destinationAmount: must be at least 5 KRW', korea)).toEqual({
    fields: { destinationAmount: 'must be an integer in KRW, and must be at least 5 KRW' },
    rest: [],
  })
})

test('a part that names no field is separate; a half sentence stays with the one before it', () => {
  expect(fieldsOfError('The bank is closed today', korea)).toEqual({ fields: {}, rest: ['The bank is closed today'] })
  expect(fieldsOfError('destination.firstNameCN: must be Chinese characters only', korea)).toEqual({
    fields: {},
    rest: ['destination.firstNameCN: must be Chinese characters only'],
  })
  expect(fieldsOfError('destination.surname: is odd; so it seems', korea).fields).toEqual({
    'destination.surname': 'is odd; so it seems',
  })
  expect(fieldsOfError('', korea)).toEqual({ fields: {}, rest: [] })
})
