import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import type { Freshness } from '#lib/environments/types.ts'
import type { PagePosition, PageTokens } from '#lib/shared/page-tokens.ts'

/**
 * An account with its cards, newest first. `cardsExcluded` counts cards that could not be read; with `hasMoreCards` the
 * service's list has more than the console fetches. `cardsProblem` says why none could be read, null where they could.
 */
export type AccountWithCards = {
  account: CardAccount
  cards: Card[]
  cardsExcluded: number
  hasMoreCards: boolean
  cardsProblem: string | null
  freshness: Freshness
}

/** One line of the list: the account as the index has it. `cards` is null where not all of them were read. */
export type CardAccountRow = {
  account: CardAccount
  cards: number | null
  /** The account's value under the filter's `groupKey`; null without one. Values that are not text are JSON text. */
  group: string | null
  /** Why the identity is rejected; null where it is not, or the reason has not been read. */
  rejectedReason: string | null
  /** When its newest transaction was recorded; null without one, as far as transactions are indexed. ISO 8601. */
  lastActivityAt: string | null
  /** The first event or reading that showed one of its open disputes; null where none is open, or it is not known. */
  disputedSince: string | null
  /** The dispute was open already when its transaction was first seen, so it may be older. */
  disputeMayBeOlder: boolean
  asOf: string
}

/**
 * Sums of all accounts of one currency that match the filter, as decimal text; null where no account provides the amount.
 * `excluded` counts the accounts that lack at least one of the four amounts: each sum is of those that provide it.
 */
export type CurrencyTotals = {
  currency: string
  accounts: number
  balance: string | null
  outstanding: string | null
  available: string | null
  disputeAmount: string | null
  excluded: number
}

/**
 * Records of one currency together, as signed decimal text. `excluded` of them are not in the amount, because their amount, direction or
 * currency is not provided. The amount is null where all are excluded, and where the currency is not provided.
 */
export type RecordSum = { records: number; amount: string | null; excluded: number }

/**
 * `counted`: pending and posted; its amount is null where there are none, and a record of an unknown status may be one. `currency` is
 * null where none is provided.
 */
export type CurrencySums = {
  currency: string | null
  counted: RecordSum
  /** Pending, posted and void first, whether there are any or not; then unknown statuses, null where none is provided. */
  statuses: ({ status: string | null } & RecordSum)[]
  /** Records of this currency that are in no sum. */
  excluded: number
}

/** Everything that a filter matches, on every page. */
export type StatusTotals = { matching: number; currencies: CurrencySums[] }

export type IndexPage = { rows: CardAccountRow[] } & PagePosition & PageTokens

/** How complete and how old the index is. Times are ISO 8601. */
export type Coverage = {
  /** Every record of the service was read at least once, and the last full reading reached the end of the list. */
  isComplete: boolean
  /** A full reading is under way now. */
  isReading: boolean
  /** Time of the oldest data in the index; null before the first full reading. */
  asOf: string | null
  /** When the oldest record was made that a whole reading has read, while it goes on or is interrupted. */
  readBackTo: string | null
  /** Records that the last full reading could not read: they have no usable id. */
  excluded: number
}

/** `accountsWithCards`: those whose cards were read, too; the rest have unknown card counts. */
export type AccountCoverage = Coverage & { accounts: number; accountsWithCards: number }

/** A transaction as the index has it; `asOf` is when it was read. */
export type IndexedTransaction = Pick<
  CardAccountTransaction,
  | 'id'
  | 'cardId'
  | 'cardLast4'
  | 'cardEmbossedName'
  | 'xid'
  | 'status'
  | 'intent'
  | 'entryType'
  | 'currency'
  | 'amount'
  | 'merchant'
  | 'description'
  | 'disputeStatus'
  | 'createdAt'
  | 'postedAt'
> & {
  cardAccountId: string
  /** The first event or reading that showed the dispute as open; null where none is open, or it is not known. */
  disputeOpenedAt: string | null
  /** The dispute was open already when the transaction was first seen. */
  disputeMayBeOlder: boolean
  authorization: Pick<
    NonNullable<CardAccountTransaction['authorization']>,
    'type' | 'currency' | 'amount' | 'responseCode' | 'responseMessage'
  > | null
  asOf: string
}

/**
 * How far the index of transactions is: `accountsRead` of `accounts` were read to their end, without a transaction that could not be read.
 * With `isComplete` they are all accounts, and none has figures that changed since. `minutesLeft` is an estimate, null where nothing is
 * left to read.
 */
export type TransactionCoverage = {
  accounts: number
  accountsRead: number
  isComplete: boolean
  minutesLeft: number | null
  asOf: string | null
}
