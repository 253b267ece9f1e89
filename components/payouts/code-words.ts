import { codeWord } from '#components/ui/code-entry.ts'
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

export function payoutMethodWord(method: string | null): string {
  return codeWord(methodWords, method)
}

export function purposeWord(purpose: string | null): string {
  return codeWord(purposeWords, purpose)
}

export function sourceOfFundsWord(source: string | null): string {
  return codeWord(sourceOfFundsWords, source)
}
