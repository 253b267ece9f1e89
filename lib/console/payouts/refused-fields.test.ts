import { expect, test } from 'vitest'
import { fieldsOfRefusal } from './refused-fields.ts'

const korea = { method: 'BANK_TRANSFER', destinationCountry: 'KR', destinationCurrency: 'KRW' } as const

test('every part of a refusal goes back to its field, with a colon or without', () => {
  expect(
    fieldsOfRefusal(
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
  expect(
    fieldsOfRefusal('amount: must be an integer in KRW; destinationAmount: must be at least 5 KRW', korea),
  ).toEqual({
    fields: { destinationAmount: 'must be an integer in KRW, and must be at least 5 KRW' },
    rest: [],
  })
})

test('what names no field of this payout stands by itself; a half sentence stays with the one before it', () => {
  expect(fieldsOfRefusal('The bank is closed today', korea)).toEqual({ fields: {}, rest: ['The bank is closed today'] })
  expect(fieldsOfRefusal('destination.firstNameCN: must be Chinese characters only', korea)).toEqual({
    fields: {},
    rest: ['destination.firstNameCN: must be Chinese characters only'],
  })
  expect(fieldsOfRefusal('destination.surname: is odd; so it seems', korea).fields).toEqual({
    'destination.surname': 'is odd; so it seems',
  })
  expect(fieldsOfRefusal('', korea)).toEqual({ fields: {}, rest: [] })
})
