import type { CardAccount, CardAccountTransaction, FeeEntry } from '#lib/contract/records.ts'
import type { Actor, Freshness } from '../desk/shapes.ts'

export type TimelineKind =
  | 'recorded'
  | 'authorized'
  | 'declined'
  | 'posted'
  | 'status'
  | 'void'
  | 'refunded'
  | 'disputed'

/**
 * One step of a transaction. `known` is its source: the record itself, an event, the console's own journal, or an
 * inference. `at` null: its time is unknown.
 */
export type TimelineEntry = {
  kind: TimelineKind
  at: string | null
  known: 'record' | 'event' | 'journal' | 'inferred'
  /** It was so at this time, and may have been so before. */
  isAtLatest: boolean
  /** The status, or the dispute status, that it came to, as the service sent it; null where a dispute ended without one. */
  status: string | null
  /** The delivery that reported it, or reported it too. */
  eventId: string | null
  /** The refund that is meant. */
  relatedId: string | null
  /** The person, where it was done with this console. */
  by: Actor | null
}

/** A transaction with all that the service and the console's own records know about it. */
export type TransactionDetail = {
  transaction: CardAccountTransaction
  account: Pick<CardAccount, 'id' | 'name' | 'currency'>
  /** The fee entry that this transaction carries; null where it carries none, or none was found. */
  fee: Pick<FeeEntry, 'id' | 'intent' | 'status'> | null
  related: RelatedEntries
  timeline: TimelineEntry[]
  /** The parts that could not be read; the rest is shown without them. */
  missing: ('fee' | 'related')[]
  freshness: Freshness
}

/**
 * An entry that belongs to another one: the `refund` of a charge, or the `charge` that a refund is for. Certain where
 * both have the same reference; otherwise inferred from amount, card and description.
 */
export type RelatedEntry = {
  relation: 'refund' | 'charge'
  isCertain: boolean
} & Pick<
  CardAccountTransaction,
  'id' | 'createdAt' | 'status' | 'amount' | 'currency' | 'entryType' | 'description' | 'refId'
>

export type RelatedEntries = {
  entries: RelatedEntry[]
  /** False where the account has more candidates than were looked at, or some of them came without an id. */
  isWhole: boolean
}
