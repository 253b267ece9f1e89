import type { payoutPurposes, sourcesOfFunds } from '#lib/contract/payouts.ts'

const methodWords: Record<string, string> = {
  NETWORK_CARD: 'Card payout',
  BANK_TRANSFER: 'Bank transfer',
  BANK_WIRE: 'Bank wire',
}

export const purposeWords = {
  'self-use': 'Own use',
  'family-support': 'Family support',
  salary: 'Salary',
  'supplier-payment': 'Supplier payment',
  other: 'Other',
} as const satisfies Record<(typeof payoutPurposes)[number], string>

export const sourceOfFundsWords = {
  income: 'Income',
  savings: 'Savings',
  business: 'Business',
  other: 'Other',
} as const satisfies Record<(typeof sourcesOfFunds)[number], string>

export function payoutMethodWord(method: string): string {
  return wordOf(methodWords, method)
}

export function purposeWord(purpose: string): string {
  return wordOf(purposeWords, purpose)
}

export function sourceOfFundsWord(source: string): string {
  return wordOf(sourceOfFundsWords, source)
}

/** The word of a code; a code that nobody has words for as it is. */
function wordOf(words: Readonly<Record<string, string>>, code: string): string {
  return (Object.hasOwn(words, code) ? words[code] : undefined) ?? code
}
