import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import type { EmbedObject } from '#lib/shared/embed-view.ts'
import type { PayoutRecord } from '../payouts/shapes.ts'

/** The data of an embedded view, masked as for a viewer. `transactions` is null where they could not be read. */
export type EmbedRecords =
  | {
      type: 'card-account'
      account: CardAccount
      /** Null unless the identity is rejected and the service says why. */
      rejectedReason: string | null
      cards: Card[]
      transactions: CardAccountTransaction[] | null
    }
  | { type: 'card'; card: Card; account: CardAccount; transactions: CardAccountTransaction[] | null }
  | { type: 'transaction'; transaction: CardAccountTransaction; account: CardAccount }
  | { type: 'payout'; payout: PayoutRecord }

/** When the records were fetched, and from where: the console's own copy while the service does not respond. */
export type EmbedReading = { object: EmbedObject; records: EmbedRecords; fetchedAt: string; isStored: boolean }

/** The hosts of embedded views: `origins` may show them, `helpDesk` is the demo's, `consoleUrl` serves `embed.js`. */
export type EmbedHosts = { consoleUrl: string; origins: readonly string[]; helpDesk: string | null }

/** A key as the settings page lists it. Times are ISO 8601. */
export type EmbedKey = {
  id: string
  name: string
  /** The last four characters of the key. */
  ending: string
  createdAt: string
  createdBy: string
  /** Within a minute. Null: never used. */
  lastUsedAt: string | null
  revokedAt: string | null
  revokedBy: string | null
}

/** What the page about embedded views shows: `origins` may show them, `consoleUrl` serves `embed.js`. */
export type EmbedSettings = { consoleUrl: string; origins: readonly string[]; keys: EmbedKey[] }
