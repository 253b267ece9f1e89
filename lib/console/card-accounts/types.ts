import type { AggregateBalance, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import type { Freshness } from '#lib/environments/types.ts'
import type { AccountWithCards, CardAccountRow } from '#lib/index/types.ts'
import type { WaitingRequestOf } from '#lib/operations/approvals/types.ts'

type Figure = number | string | null

/** The sums of one group in one currency, and their values in the reporting currency; null where they are not known. */
export type GroupBalance = Pick<AggregateBalance, 'group' | 'currency'> & {
  balance: Figure
  value: Figure
  outstanding: Figure
  outstandingValue: Figure
  available: Figure
  availableValue: Figure
  /** Accounts that lack one of the figures, and are excluded from it. */
  lacking: number
}

/** Sums per group and currency; group `""` holds the accounts without the key. */
export type AggregateBalances = {
  groupKey: string | null
  reportingCurrency: string
  /** False: `balance` and `value` are the service's own sums of all accounts. */
  isFiltered: boolean
  balances: GroupBalance[]
  /** Counted over all accounts, whatever the filter. */
  currencies: string[]
  /** When the console read the rates of the other values; null where it has read none. */
  ratesAt: string | null
  /** Sums of the response, or accounts of the index, that could not be read. */
  excluded: number
  freshness: Freshness
}

/** A line of the list, with the changes of its limit that wait for an approval. */
export type ListedCardAccount = CardAccountRow & { waitingLimits: WaitingRequestOf[] }

/** `rejectedReason` is why the account's identity is rejected; null where it is not, or the service does not say. */
export type CardAccountDetail = AccountWithCards & {
  rejectedReason: string | null
  /** Cancellations of its cards that wait for an approval. */
  waiting: WaitingRequestOf[]
  /** Changes of its limit that wait for an approval. */
  waitingLimits: WaitingRequestOf[]
}

/** Entries of one kind, added up. `amount` is signed decimal text: DEBIT adds, CREDIT takes. */
export type BalanceLine = {
  status: string
  intent: string | null
  entryType: 'DEBIT' | 'CREDIT'
  entries: number
  amount: string
}

/** An entry that a sum is made of, to lead to it. */
export type NamedEntry = Pick<
  CardAccountTransaction,
  'id' | 'createdAt' | 'status' | 'amount' | 'currency' | 'entryType' | 'description' | 'intent' | 'disputeStatus'
>

/**
 * A figure of the service and the one that the console computes; `difference` is the first less the second. Null: the
 * service does not provide it, or the console has no rule for it.
 */
export type Check = { stated: string | null; expected: string | null; difference: string | null }

/** Entries of one status. `amount` is without a sign and without the `excluded` entries; null where all are excluded. */
export type StatusSum = { status: string | null; entries: number; amount: string | null; excluded: number }

export type BalanceSums = {
  /** The parts of the balance: posted first, then pending; each direction and intent separately. */
  lines: BalanceLine[]
  /** Declined and void: they move nothing. */
  uncounted: StatusSum[]
  /** Statuses that are missing or unknown: whether they count is not known, so they are in no line. */
  unknown: StatusSum[]
  /** Posted and pending entries whose amount, direction or currency is missing or unknown, or not the account's. */
  unreadable: number
  /** Entries that may move the balance and are in no line: `unreadable`, `unknown`, and records that came without an id. */
  excluded: number
  /** Null where no entry of the status can be read: its sum is not 0. */
  posted: string | null
  pending: string | null
  /** The pending entries that take, without a sign; null where no pending entry can be read. */
  pendingTaken: string | null
  /**
   * The balance less every entry that was read: the balance before the earliest of them. Null without a balance, and where
   * entries are excluded: the figure would hold their effect.
   */
  carriedForward: string | null
  available: Check
  outstanding: Check
  /** `expected` is null where the entries are incomplete. */
  disputed: Check
  pendingEntries: NamedEntry[]
  disputedEntries: NamedEntry[]
}

/** The explanation of an account's figures: its own entries, summed, beside the figures of the service. */
export type BalanceExplanation = BalanceSums & {
  account: Pick<
    CardAccount,
    'id' | 'accountType' | 'currency' | 'limit' | 'balance' | 'available' | 'outstanding' | 'disputeAmount'
  >
  /** How many entries were read; when the earliest of them was recorded. */
  entries: number
  earliestAt: string | null
  /** False: the account has more entries than are read for this, or the service repeats a page; these are the newest. */
  isWhole: boolean
  /** Whether the entries are all there and all in the sums. Only then do the sums explain the balance. */
  isComplete: boolean
  /** False: the account changed while it was read, each time. */
  isSteady: boolean
  freshness: Freshness
}
