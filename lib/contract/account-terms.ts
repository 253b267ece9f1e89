export const accountTypes = ['prepaid', 'credit'] as const

/** Decision: the currencies that a card account can have: those with exchange rates. */
export const cardAccountCurrencies = [
  'HKD',
  'USD',
  'EUR',
  'GBP',
  'CNH',
  'CNY',
  'JPY',
  'SGD',
  'PHP',
  'INR',
  'IDR',
  'KRW',
  'AUD',
  'CAD',
  'CHF',
  'THB',
] as const
