// Values of the interface without schemas: the browser imports them without the library that validates.

export const accountTypes = ['prepaid', 'credit'] as const
export type AccountType = (typeof accountTypes)[number]

export const clientIdentityStatuses = ['pending', 'approved', 'rejected'] as const
export type ClientIdentityStatus = (typeof clientIdentityStatuses)[number]

export const transactionStatuses = ['pending', 'posted', 'declined', 'void'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

export const transactionIntents = [
  'charge',
  'refund',
  'topup',
  'withdraw',
  'transfer',
  'repay',
  'cashback',
  'interest',
  'fee',
  'other',
] as const
export type TransactionIntent = (typeof transactionIntents)[number]

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

/** Decision: the countries with a bank list, which payouts reach. */
export const bankCountries = ['HK', 'PH', 'IN', 'ID', 'KR', 'CN'] as const
export type BankCountry = (typeof bankCountries)[number]

/** The interface's list of currencies of a simulated authorization. */
export const simulatedCurrencies = ['HKD', 'USD', 'EUR'] as const

/** Whether a transaction in this status is in no balance. */
export function isUncounted(status: string | null): boolean {
  return status === 'declined' || status === 'void'
}

/** The statuses of a dispute that is not decided yet. */
export const openDisputeStatuses: readonly string[] = ['requested', 'pending']

/** The interface's list of a card's statuses. */
export const cardStatuses = [
  'active',
  'pending-issue',
  'pending-activation',
  'locked',
  'suspended',
  'cancelled',
] as const
export type CardStatus = (typeof cardStatuses)[number]

/**
 * Decision: the limits of a card without limits of its own: the largest whole amount that a JSON number carries. It is
 * a thousand times the highest limit of an account, so it never restricts a charge.
 */
export const unboundCardLimit = 999_999_999_999_999

/** ITU-T E.164 as text: `+`, a country code that does not begin with 0, 15 digits at most. Decision: 7 digits at least. */
export const e164Pattern = /^\+[1-9]\d{6,14}$/

/** The interface's events and those decided here, in the order of `eventTable`. */
export const eventNames = [
  'cardaccount.client-identity.approved',
  'cardaccount.client-identity.rejected',
  'cardaccount.transaction.updated',
  'cardaccount.transaction.verification-code-delivered',
  'cardaccount.created',
  'cardaccount.balance',
  'cardaccount.transaction.created',
  'cardaccount.transaction.declined',
  'account.transaction.created',
  'card.updated',
  'payout.created',
  'payout.updated',
  'ping',
] as const

export type EventName = (typeof eventNames)[number]

/** Events that the interface has replaced, with what replaced them. */
export const deprecatedEvents: Readonly<Record<string, string>> = {
  'cardaccount.transaction.verification-code-delivered': 'the 3D Secure challenge flow',
} satisfies Partial<Record<EventName, string>>

/** The interface's list of reasons why an identity is rejected, in its order; the last one appears only in its event sample. */
export const rejectionReasons = [
  'Incomplete Info (not residential address)',
  'Invalid ID (name check hit)',
  "Invalid ID (exceed the company's risk appetite)",
  'Additional Doc for Non-HK Resident (missing id back photo)',
  'Additional Doc for Non-HK Resident (hotel info invalid)',
  'Additional Doc for Non-HK Resident (document type not accepted)',
  'Additional Doc for Non-HK Resident (expired document)',
  'Additional Doc for Non-HK Resident (unclear image)',
  'Additional Doc for Non-HK Resident (document not belong to client)',
  'Additional Doc for Non-HK Resident (potential bogus document)',
  'Invalid ID (expired doc)',
] as const
