import type { EndpointName } from './endpoints.ts'

export type PayoutEnd = 'completed' | 'cancelled' | 'failed' | 'held'

/** Decision: how a payout of the built-in service ends, by the last four digits of its account number; otherwise `completed`. */
export const payoutEndings: Readonly<Record<string, PayoutEnd>> = {
  '9001': 'cancelled',
  '9002': 'failed',
  '9003': 'held',
}

/** A value that makes the built-in service behave in a way that people want to test. */
export type TestValue = {
  endpoint: EndpointName
  field: string
  /** As it is entered, or a description of it where there are many. */
  value: string
  result: string
}

const endingResults: Record<PayoutEnd, string> = {
  completed: 'The payout is completed.',
  cancelled: 'The payout is cancelled in review and refunded.',
  failed: 'The bank rejects the payout; it fails and is refunded.',
  held: 'The payout stays in review.',
}

/** Every test value, by endpoint. The built-in service's docs and the API explorer show them. */
export const testValues: readonly TestValue[] = [
  ...Object.entries(payoutEndings).map(([digits, end]) =>
    testValue('executePayout', 'destination.accountNumber', `ends with ${digits}`, endingResults[end]),
  ),
  testValue('executePayout', 'destination.accountNumber', 'any other number', endingResults.completed),
  testValue(
    'validatePayout',
    'destination.accountNumber',
    'NETWORK_CARD, not 16 to 19 digits',
    'NETWORK_CARD_INVALID_BANK_ACCOUNT',
  ),
  testValue('quotePayout', 'destinationAmount', '49999 IDR to ID', 'INVALID_PARAMETERS'),
  testValue('quotePayout', 'destinationAmount', '4 KRW to KR', 'INVALID_PARAMETERS'),
  testValue('quotePayout', 'method', 'BANK_WIRE', 'INVALID_PARAMETERS'),
  testValue('simulateAuthorization', 'cardId', 'a card that is not active', 'The charge is declined with 62.'),
  testValue(
    'simulateAuthorization',
    'amount',
    'above the account’s available amount',
    'The charge is declined with 51.',
  ),
  testValue('simulateAuthorization', 'amount', 'above a limit of the card', 'The charge is declined with 61.'),
  testValue('getBank', 'wireCode', 'HSBCHKHH', 'A bank in Hong Kong.'),
  testValue('getBank', 'wireCode', 'NOBANKXX', 'BANK_NOT_FOUND'),
  testValue('listPayoutBanks', 'countryCode', 'FR', 'COUNTRY_NOT_FOUND'),
  testValue('createWebhook', 'url', 'https://10.0.0.1/events', 'INVALID_PARAMETERS'),
]

function testValue(endpoint: EndpointName, field: string, value: string, result: string): TestValue {
  return { endpoint, field, value, result }
}

/** A person, as an account is opened for. */
export const exampleIndividual = {
  firstName: 'Siu Ming',
  lastName: 'Wong',
  dateOfBirth: '1990-02-28',
  email: 'siu.ming@example.com',
  mobile: '+85251234567',
  occupation: 'engineer',
  position: 'manager',
  gender: 'MALE',
  nationality: 'HK',
  address: 'Flat 5, 12 Queen’s Road Central, Hong Kong',
  document: { type: 'HKID', number: 'A1234563', country: 'HK', expiryDate: '2035-01-31' },
}

/** The beneficiary of a payout to Hong Kong. */
const destination = {
  accountNumber: '123456789012',
  firstName: 'Siu Ming',
  surname: 'Wong',
  address: 'Flat 5, 12 Queen’s Road Central, Hong Kong',
}

export function exampleQuote(accountId: string) {
  return {
    method: 'BANK_TRANSFER',
    accountId,
    sourceCurrency: 'HKD',
    sourceAmount: 100,
    destinationCountry: 'HK',
    destinationCurrency: 'HKD',
  } as const
}

export function examplePayout(quoteId: unknown) {
  return { quoteId, destination, purpose: 'salary', sourceOfFunds: 'business' }
}

/** Requests that name no record of a service. */
export const plainExamples = {
  ping: () => ({}),
  aggregateBalance: () => ({ query: { groupKey: 'department' } }),
  createCardAccount: () => ({
    body: {
      name: 'Wong Siu Ming',
      phoneNumber: '+85251234567',
      identityType: 'individual',
      accountType: 'credit',
      currency: 'HKD',
      limit: 20000,
      individual: exampleIndividual,
    },
  }),
  listOccupations: () => ({}),
  listPositions: () => ({}),
  listFees: () => ({ query: { pageSize: '5' } }),
  listAccounts: () => ({}),
  validatePayout: () => ({
    body: {
      method: 'BANK_TRANSFER',
      destination,
      destinationCountry: 'HK',
      destinationCurrency: 'HKD',
      destinationAmount: 100,
    },
  }),
  listPayouts: () => ({ query: { pageSize: '5' } }),
  listPayoutBanks: () => ({ params: { countryCode: 'HK' } }),
  getBank: () => ({ query: { wireCode: 'HSBCHKHH' } }),
  getRates: () => ({ query: { baseCurrency: 'HKD', currencies: ['USD', 'KRW'] } }),
  listWebhooks: () => ({}),
  listWebhookStats: () => ({}),
}
