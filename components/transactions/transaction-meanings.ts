import type { CardAccountTransaction } from '#lib/contract/records.ts'

/** What the issuer answered, with its code. */
export function approvalText({ authorization }: CardAccountTransaction): string | null {
  const { responseCode, responseMessage } = authorization ?? {}
  const code = responseCode ? `response code ${responseCode}` : null
  if (!responseMessage) return code
  return code ? `${responseMessage} (${code})` : responseMessage
}

const authorizationTypes: Record<string, string> = { PURCHASE: 'Purchase', ATM: 'Cash from a machine (ATM)' }

export function authorizationTypeWord(type: string): string {
  return Object.hasOwn(authorizationTypes, type) ? (authorizationTypes[type] ?? type) : type
}

/** What an entry does to the balance, by its direction; null where its status says that it does nothing. */
export function effectText({ entryType, status }: Pick<CardAccountTransaction, 'entryType' | 'status'>): string | null {
  if (status === 'declined' || status === 'void') return null
  if (status !== 'pending' && status !== 'posted') {
    return 'Whether it counts in the balance is not known for this status.'
  }
  if (entryType === 'DEBIT') return 'A debit: it adds to the account’s balance.'
  return entryType === 'CREDIT' ? 'A credit: it takes from the account’s balance.' : 'Its direction is not known.'
}
