import type { EmbedObject, LookUpField } from '#lib/api/embed-view.ts'
import type { RequestKind, RequestWay, TicketOrigin } from '#lib/api/help-desk-requests.ts'
import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import type { IndexedTransaction } from '#lib/index/types.ts'
import type { PayoutRecord } from '../payouts/types.ts'
import type { TransactionDecline } from '../transactions/types.ts'

/** The data of an embedded view, masked as for a viewer. `transactions` is null where they could not be read. */
export type EmbedRecords =
  | {
      type: 'customer'
      foundBy: LookUpField | 'id'
      /** The token's card accounts that still exist. */
      accounts: { account: CardAccount; cards: Card[] }[]
      /** The newest first. */
      declines: (CardAccountTransaction | IndexedTransaction)[]
      /** Transactions with an open dispute, the newest first; `mostCases` at most, like `operations`. */
      disputes: IndexedTransaction[]
      /** Changes that staff requested and that have not come to their end. */
      operations: WaitingOperation[]
    }
  | {
      type: 'card-account'
      account: CardAccount
      /** Null unless the identity is rejected and the service says why. */
      rejectedReason: string | null
      cards: Card[]
      transactions: CardAccountTransaction[] | null
    }
  | { type: 'card'; card: Card; account: CardAccount; transactions: CardAccountTransaction[] | null }
  | {
      type: 'transaction'
      transaction: CardAccountTransaction
      account: CardAccount
      /** Null where it was not declined, or what explains it could not be read. */
      decline: TransactionDecline | null
    }
  | { type: 'payout'; payout: PayoutRecord }

/** An operation on a card account or on a card of it, or a call-back about one. `createdAt` is ISO 8601. */
export type WaitingOperation = {
  /** Of an operation, or `call-back`. */
  kind: string
  /** State in the journal: `waiting` for an approval, `unknown`, or still on its way; of a call-back `open` or `taken`. */
  state: string
  targetType: string
  targetId: string
  targetLabel: string | null
  /** The card account. */
  cardAccountId: string
  createdAt: string
}

/**
 * When the records were fetched, and from where: the console's own copy while the service does not respond. `hasWays`: the
 * token opens the other records that these name, too.
 */
export type EmbedReading = {
  object: EmbedObject
  records: EmbedRecords
  fetchedAt: string
  isStored: boolean
  hasWays: boolean
  /** Whether it leads to the object's page in Carddesk. */
  hasLink: boolean
  /** Null where the token names no ticket. */
  requests: TicketRequests | null
}

/** Requests that can be made from a ticket about an object, and those made. */
export type TicketRequests = {
  offers: { kind: RequestKind; way: RequestWay }[]
  /** The newest first. Times are ISO 8601. */
  made: {
    id: string
    kind: RequestKind
    origin: TicketOrigin
    state: RequestState
    createdAt: string
    /** When it expires, while it waits for an approval. */
    expiresAt: string | null
    /** Why it was declined. */
    reason: string | null
  }[]
}

/** `open`, `taken` and `finished` are a hand-over's. */
export type RequestState =
  | 'waiting'
  | 'declined'
  | 'expired'
  | 'sending'
  /** The service did not respond, or was busy: the agent may ask again. */
  | 'not-sent'
  | 'approved-done'
  | 'done'
  | 'refused'
  | 'unknown'
  | 'open'
  | 'taken'
  | 'finished'

/** The hosts of embedded views: `origins` may show them, `helpDesk` is the demo's, `consoleUrl` serves `embed.js`. */
export type EmbedHosts = { consoleUrl: string; origins: readonly string[]; helpDesk: string | null }

/** A key as the settings page lists it. Times are ISO 8601. */
export type EmbedKey = {
  id: string
  name: string
  /** The last four characters of the key. */
  ending: string
  /** Whether its views have "Open in Carddesk". */
  hasLink: boolean
  createdAt: string
  createdBy: string
  /** Within a minute. Null: never used. */
  lastUsedAt: string | null
  revokedAt: string | null
  revokedBy: string | null
}

/** Settings of embedded views: `origins` may show them, `consoleUrl` serves `embed.js`, `integrity` is its digest. */
export type EmbedSettings = { consoleUrl: string; integrity: string; origins: readonly string[]; keys: EmbedKey[] }
