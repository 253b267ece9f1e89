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
  ...Object.entries(payoutEndings).map(([digits, end]): TestValue => ({
    endpoint: 'executePayout',
    field: 'destination.accountNumber',
    value: `ends with ${digits}`,
    result: endingResults[end],
  })),
  {
    endpoint: 'executePayout',
    field: 'destination.accountNumber',
    value: 'any other number',
    result: endingResults.completed,
  },
  {
    endpoint: 'validatePayout',
    field: 'destination.accountNumber',
    value: 'NETWORK_CARD, not 16 to 19 digits',
    result: 'NETWORK_CARD_INVALID_BANK_ACCOUNT',
  },
  { endpoint: 'quotePayout', field: 'destinationAmount', value: '49999 IDR to ID', result: 'INVALID_PARAMETERS' },
  { endpoint: 'quotePayout', field: 'destinationAmount', value: '4 KRW to KR', result: 'INVALID_PARAMETERS' },
  { endpoint: 'quotePayout', field: 'method', value: 'BANK_WIRE', result: 'INVALID_PARAMETERS' },
  {
    endpoint: 'simulateAuthorization',
    field: 'cardId',
    value: 'a card that is not active',
    result: 'The charge is declined with 62.',
  },
  {
    endpoint: 'simulateAuthorization',
    field: 'amount',
    value: 'above the account’s available amount',
    result: 'The charge is declined with 51.',
  },
  {
    endpoint: 'simulateAuthorization',
    field: 'amount',
    value: 'above a limit of the card',
    result: 'The charge is declined with 61.',
  },
  { endpoint: 'getBank', field: 'wireCode', value: 'HSBCHKHH', result: 'A bank in Hong Kong.' },
  { endpoint: 'getBank', field: 'wireCode', value: 'NOBANKXX', result: 'BANK_NOT_FOUND' },
  { endpoint: 'listPayoutBanks', field: 'countryCode', value: 'FR', result: 'COUNTRY_NOT_FOUND' },
  { endpoint: 'createWebhook', field: 'url', value: 'https://10.0.0.1/events', result: 'INVALID_PARAMETERS' },
]

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
