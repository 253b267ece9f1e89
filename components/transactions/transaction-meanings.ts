import { amountText } from '#components/ui/amount.tsx'
import { codeLabel } from '#components/ui/code-entry.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { isUncounted } from '#lib/contract/terms.ts'
import type { ListedTransaction } from './transaction-labels.ts'

/** The amount that the merchant requested, where it was in another currency than the account's; null where it was not. */
export function foreignCharge({
  authorization,
  currency,
}: Pick<ListedTransaction, 'authorization' | 'currency'>): { amount: number; currency: string } | null {
  const { amount = null, currency: charged } = authorization ?? {}
  return amount !== null && charged && charged !== currency ? { amount, currency: charged } : null
}

/** `foreignCharge` as text. */
export function foreignAmount(transaction: Pick<ListedTransaction, 'authorization' | 'currency'>): string | null {
  const charge = foreignCharge(transaction)
  return charge && amountText(charge.amount, charge.currency)
}

/** Whether a transaction was made with a card, as far as the record says so or does not rule it out. */
export function isMadeWithCard({
  cardId,
  cardLast4,
  authorization,
  intent,
}: Pick<ListedTransaction, 'cardId' | 'cardLast4' | 'authorization' | 'intent'>): boolean {
  return (
    Boolean(cardId || cardLast4 || authorization) || intent === null || intent === 'charge' || intent === 'withdraw'
  )
}

const authorizationTypes: Record<string, string> = { PURCHASE: 'Purchase', ATM: 'Cash from a machine (ATM)' }

export function authorizationTypeLabel(type: string | null): string {
  return codeLabel(authorizationTypes, type)
}

/** Effect of an entry on the balance, by its direction; null where its status has none. */
export function effectText({ entryType, status }: Pick<CardAccountTransaction, 'entryType' | 'status'>): string | null {
  if (isUncounted(status)) return null
  if (status === null) return 'Whether it counts in the balance is not known: its status was not provided.'
  if (status !== 'pending' && status !== 'posted') {
    return 'Whether it counts in the balance is not known for this status.'
  }
  if (entryType === 'DEBIT') return 'Added to the account’s balance.'
  return entryType === 'CREDIT' ? 'Taken from the account’s balance.' : 'Direction unknown.'
}
