import { z } from 'zod'
import { AccountTransaction } from './accounts.ts'
import { CardAccount } from './card-accounts.ts'
import { Card } from './cards.ts'
import { JsonValue, ResponseUuid, Timestamp, Xid } from './fields.ts'
import { Payout } from './payouts.ts'
import type { EventName } from './terms.ts'
import { CardAccountTransaction } from './transactions.ts'

const ClientIdentityApproved = z.object({
  cardAccountId: ResponseUuid,
  /** The xid of the card account, or null when it has none. */
  xid: Xid.nullable(),
})

/** One row an event: the schema of its `data`, and when it is emitted. */
type EventRow = { data: z.ZodType; emitted: string; deprecated?: true; decided?: true }

/**
 * The four events of the interface, and those decided here. `data` of the decided ones is the whole record that the
 * event is about. The set is open: a reader shows an event that it does not know as it is.
 */
export const eventTable = {
  'cardaccount.client-identity.approved': {
    data: ClientIdentityApproved,
    emitted: 'Client identity (KYC) is approved, also by the sandbox simulator.',
  },
  'cardaccount.client-identity.rejected': {
    data: ClientIdentityApproved.extend({ rejectedReason: z.string(), rejectionAdditionalInfo: z.string() }),
    emitted: 'Client identity is rejected, also by the sandbox simulator.',
  },
  'cardaccount.transaction.updated': {
    data: CardAccountTransaction,
    emitted: 'The status of a transaction changes, or its dispute status.',
  },
  'cardaccount.transaction.verification-code-delivered': {
    data: z.record(z.string(), JsonValue),
    emitted: 'Never by the built-in service: replaced by the 3D Secure challenge flow.',
    deprecated: true,
  },
  'cardaccount.created': { data: CardAccount, emitted: 'A card account is created.', decided: true },
  'cardaccount.balance': { data: CardAccount, emitted: 'The balance of a card account changes.', decided: true },
  'cardaccount.transaction.created': {
    data: CardAccountTransaction,
    emitted: 'A transaction is recorded on a card account.',
    decided: true,
  },
  'cardaccount.transaction.declined': {
    data: CardAccountTransaction,
    emitted: 'A card transaction is declined.',
    decided: true,
  },
  'account.transaction.created': {
    data: AccountTransaction,
    emitted: 'An entry is recorded in the account ledger.',
    decided: true,
  },
  'card.updated': { data: Card, emitted: 'A card is issued or changes its status.', decided: true },
  'payout.created': { data: Payout, emitted: 'A payout is requested.', decided: true },
  'payout.updated': { data: Payout, emitted: 'A payout changes its status.', decided: true },
  ping: {
    data: z.object({}),
    emitted: 'A health check; sent to every webhook, whatever it subscribed to.',
    decided: true,
  },
} as const satisfies Record<EventName, EventRow>

export type EventData<Name extends EventName> = z.infer<(typeof eventTable)[Name]['data']>

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(eventTable, name)
}

/** The body of a delivery. */
export const Delivery = z
  .object({ id: ResponseUuid, event: z.string(), data: z.record(z.string(), JsonValue), time: Timestamp })
  .meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof Delivery>

/** The header that signs a delivery: base64 RSA-SHA256 over the raw body. */
export const webhookSignatureHeader = 'x-access-signature'
