import type { TransactionStatus } from '#lib/contract/transactions.ts'
import { amount, type Amount } from '#lib/shared/money.ts'
import type { TransactionRow } from '../transaction-record.ts'

/** What of a transaction decides about balances. */
export type EntryState = Pick<
  TransactionRow,
  'status' | 'intent' | 'entryType' | 'amount' | 'postedAt' | 'disputeStatus' | 'reversedAt'
>

/** What the ledger keeps of an account. */
export type AccountFigures = { balance: Amount; disputeAmount: Amount }

const counted: Record<TransactionStatus, boolean> = { pending: true, posted: true, declined: false, void: false }

/** What an entry adds to the balance: DEBIT adds, CREDIT subtracts, void and declined do neither; pending counts. */
function effectOf(entry: Pick<EntryState, 'status' | 'entryType' | 'amount'>): Amount {
  if (!counted[entry.status]) return amount(0)
  return entry.entryType === 'DEBIT' ? amount(entry.amount) : amount(entry.amount).negated()
}

/** What an entry adds to the disputed amount: all of it while its dispute is requested or pending. */
function disputedOf(entry: Pick<EntryState, 'disputeStatus' | 'amount'>): Amount {
  return amount(entry.disputeStatus === 'requested' || entry.disputeStatus === 'pending' ? entry.amount : 0)
}

/** The figures of an account after one of its entries changed; `before` is null for a new entry. */
export function movedFigures(figures: AccountFigures, before: EntryState | null, after: EntryState): AccountFigures {
  return {
    balance: figures.balance.plus(effectOf(after)).minus(before ? effectOf(before) : 0),
    disputeAmount: figures.disputeAmount.plus(disputedOf(after)).minus(before ? disputedOf(before) : 0),
  }
}

/** What is owed: 0 unless the balance is negative. */
export function outstandingOf(balance: Amount | string): Amount {
  const exact = amount(balance)
  return exact.isNegative() ? exact.negated() : amount(0)
}

/** A pending entry as it is posted. Null where there is nothing left to post. */
export function posted<Entry extends EntryState>(entry: Entry, now: Date): Entry | null {
  return entry.status === 'pending' ? { ...entry, status: 'posted', postedAt: now } : null
}

/** An entry that no longer counts. Null for one that never did or does not any more. */
export function voided<Entry extends EntryState>(entry: Entry): Entry | null {
  return counted[entry.status] ? { ...entry, status: 'void', postedAt: null } : null
}

/** How a charge is reversed in full: a pending one becomes void, a posted one is refunded, once. Null for anything else. */
export function reversalOf<Entry extends EntryState>(
  entry: Entry,
  now: Date,
): { original: Entry; refund: boolean } | null {
  if (entry.intent !== 'charge' || entry.reversedAt !== null) return null
  const cancelled = entry.status === 'pending' ? voided(entry) : null
  if (cancelled) return { original: { ...cancelled, reversedAt: now }, refund: false }
  return entry.status === 'posted' ? { original: { ...entry, reversedAt: now }, refund: true } : null
}
