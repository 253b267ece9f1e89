import type { Actor } from '#lib/audit/types.ts'
import type { CardAccount, CardAccountTransaction, FeeEntry } from '#lib/contract/records.ts'
import type { Freshness, ServiceHealth } from '#lib/environments/types.ts'
import type { IndexedTransaction, TransactionCoverage } from '#lib/index/types.ts'
import type { PageTokens } from '#lib/shared/page-tokens.ts'

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

/** A transaction of the program's list, with the name of its account where the index has it. */
export type ProgramTransaction = IndexedTransaction & { accountName: string | null }

/** The codes that the program's transactions have. */
export type TransactionChoices = Record<'statuses' | 'intents' | 'currencies' | 'mccs' | 'responseCodes', string[]>

/** Of all that match, per currency, as decimal text: what was taken from and added to balances, and what was declined. */
export type TransactionTotals = {
  matching: number
  totals: {
    currency: string
    transactions: number
    taken: string | null
    added: string | null
    declined: number
    declinedAmount: string | null
  }[]
}

/** One page of the program's transactions; `first` and `last` are positions among those that match, from 1. */
export type ProgramTransactions = PageTokens & {
  transactions: ProgramTransaction[]
  first: number
  last: number
  totals: TransactionTotals
  choices: TransactionChoices
  coverage: TransactionCoverage
  health: ServiceHealth
}

/** Declines of one reason in a range; `declinesBefore` in the same hours a week before, null without a first day. */
export type DeclineReason = {
  responseCode: string | null
  responseMessage: string | null
  declines: number
  cards: number
  declinesBefore: number | null
}
