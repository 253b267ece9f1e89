import type { TransactionStatus } from '#lib/contract/terms.ts'
import { amount, type Amount } from '#lib/shared/money.ts'
import type { TransactionRow } from '../transaction-record.ts'

/** The fields of a transaction that determine balances. */
export type EntryState = Pick<
  TransactionRow,
  | 'status'
  | 'intent'
  | 'entryType'
  | 'amount'
  | 'grossAmount'
  | 'refundedAmount'
  | 'postedAt'
  | 'disputeStatus'
  | 'reversedAt'
>

/** The figures of an account that the ledger writes. */
export type AccountFigures = { balance: Amount; disputeAmount: Amount }

const counted: Record<TransactionStatus, boolean> = { pending: true, posted: true, declined: false, void: false }

/** The effect of an entry on the balance: DEBIT adds, CREDIT subtracts, void and declined have none; pending counts. */
function balanceEffect(entry: Pick<EntryState, 'status' | 'entryType' | 'amount'>): Amount {
  if (!counted[entry.status]) return amount(0)
  return entry.entryType === 'DEBIT' ? amount(entry.amount) : amount(entry.amount).negated()
}

/** The effect of an entry on the disputed amount: all of it while its dispute is requested or pending. */
function disputedAmount(entry: Pick<EntryState, 'disputeStatus' | 'amount'>): Amount {
  return amount(entry.disputeStatus === 'requested' || entry.disputeStatus === 'pending' ? entry.amount : 0)
}

/** The figures of an account after one of its entries changed; `before` is null for a new entry. */
export function movedFigures(figures: AccountFigures, before: EntryState | null, after: EntryState): AccountFigures {
  return {
    balance: figures.balance.plus(balanceEffect(after)).minus(before ? balanceEffect(before) : 0),
    disputeAmount: figures.disputeAmount.plus(disputedAmount(after)).minus(before ? disputedAmount(before) : 0),
  }
}

/** The amount owed: 0 unless the balance is negative. */
export function outstandingAmount(balance: Amount | string): Amount {
  const exact = amount(balance)
  return exact.isNegative() ? exact.negated() : amount(0)
}

/**
 * A pending entry as it is posted, with all of its amount or with a part of it; the rest is released. Null for an entry
 * that is not pending, and for a part that is nothing or more than the entry.
 */
export function posted<Entry extends EntryState>(entry: Entry, now: Date, part = amount(entry.amount)): Entry | null {
  if (entry.status !== 'pending' || !isPart(part, amount(entry.amount))) return null
  return { ...reduced(entry, amount(entry.amount).minus(part)), status: 'posted', postedAt: now }
}

/** An entry without a part of its amount, which leaves the gross amount, too. */
function reduced<Entry extends EntryState>(entry: Entry, by: Amount): Entry {
  const gross = amount(entry.grossAmount).minus(by)
  return {
    ...entry,
    amount: amount(entry.amount).minus(by).toString(),
    grossAmount: gross.isNegative() ? '0' : gross.toString(),
  }
}

function isPart(part: Amount, whole: Amount): boolean {
  return part.gt(0) && part.lte(whole)
}

/** An entry that no longer counts. Null for one that never did or does not any more. */
export function voided<Entry extends EntryState>(entry: Entry): Entry | null {
  return counted[entry.status] ? { ...entry, status: 'void', postedAt: null } : null
}

/** The amount of a charge that is not reversed yet: 0 for entries that are no charge. */
export function reversibleAmount(entry: EntryState): Amount {
  if (entry.intent !== 'charge' || entry.reversedAt !== null || !counted[entry.status]) return amount(0)
  return amount(entry.amount).minus(entry.refundedAmount)
}

/**
 * How a charge is reversed, with all that is left of it or with a part: a pending one becomes void or smaller, of a posted
 * one the part is refunded. Null for anything but a charge, and for a part that is nothing or more than what is left.
 */
export function makeReversal<Entry extends EntryState>(
  entry: Entry,
  now: Date,
  part = reversibleAmount(entry),
): { original: Entry; refund: Amount | null } | null {
  const left = reversibleAmount(entry)
  if (!isPart(part, left)) return null
  const isWhole = part.eq(left)
  if (entry.status === 'posted') {
    const refundedAmount = amount(entry.refundedAmount).plus(part).toString()
    return { original: { ...entry, refundedAmount, reversedAt: isWhole ? now : null }, refund: part }
  }
  const cancelled = isWhole ? voided(entry) : null
  return { original: cancelled ? { ...cancelled, reversedAt: now } : reduced(entry, part), refund: null }
}
