/** The interface's events and those decided here, in the order of `eventTable`. Without schemas, for the browser. */
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
