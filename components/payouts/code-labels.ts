import { codeLabel } from '#components/ui/code-entry.ts'
import type { payoutPurposes, sourcesOfFunds } from '#lib/contract/payouts.ts'

export const payoutMethodLabels = {
  NETWORK_CARD: 'Card payout',
  BANK_TRANSFER: 'Bank transfer',
  BANK_WIRE: 'Bank wire',
}

export const purposeLabels = {
  'self-use': 'Own use',
  'family-support': 'Family support',
  salary: 'Salary',
  'supplier-payment': 'Supplier payment',
  other: 'Other',
} as const satisfies Record<(typeof payoutPurposes)[number], string>

export const sourceOfFundsLabels = {
  income: 'Income',
  savings: 'Savings',
  business: 'Business',
  other: 'Other',
} as const satisfies Record<(typeof sourcesOfFunds)[number], string>

export function payoutMethodLabel(method: string | null): string {
  return codeLabel(payoutMethodLabels, method)
}

export function purposeLabel(purpose: string | null): string {
  return codeLabel(purposeLabels, purpose)
}

export function sourceOfFundsLabel(source: string | null): string {
  return codeLabel(sourceOfFundsLabels, source)
}
