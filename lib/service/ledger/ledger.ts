import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { captureDelayMs } from '#lib/contract/charge-rule.ts'
import type { DisputeStatus } from '#lib/contract/transactions.ts'
import type { Transaction } from '#lib/db/connection.ts'
import { amount, fitsMinorUnit, roundToMinorUnit, toWire, type Amount } from '#lib/shared/money.ts'
import { ApiError } from '../api-error.ts'
import { toCardAccount, type CardAccountRow } from '../card-account-record.ts'
import type { ServiceWrite } from '../clock.ts'
import { cancelWork, scheduleWork } from '../due-work.ts'
import { recordEvent } from '../events.ts'
import { newRowId } from '../row-ids.ts'
import { cardAccounts } from '../tables/card-accounts.ts'
import { cardAccountTransactions } from '../tables/transactions.ts'
import { toCardAccountTransaction, type TransactionRow } from '../transaction-record.ts'
import { movedFigures, outstandingAmount, posted, makeReversal, voided } from './entry-changes.ts'
import { requireLockedEntry, type BookedEntry } from './locks.ts'

/**
 * The only code that writes balances and card account transactions. Every function runs in its caller's transaction
 * with the account's row locked, so that changes to one account are serialized, and records their events.
 */

/** The fields of a new entry. Those that are left out are empty. */
type NewEntry = Pick<TransactionRow, 'status' | 'intent' | 'entryType' | 'description'> & {
  amount: Amount
  grossAmount?: Amount
  card?: { id: string; last4: string; embossedName: string } | null
} & Partial<Pick<TransactionRow, 'id' | 'xid' | 'authorization' | 'merchant'>>

/** Writes an entry of a locked account, in the account's currency. A pending one is put on the calendar to be posted. */
export async function postEntry(change: ServiceWrite, account: CardAccountRow, entry: NewEntry): Promise<BookedEntry> {
  const { db, now } = change
  const { card = null, grossAmount = entry.amount, ...given } = entry
  const transaction: TransactionRow = {
    id: newRowId(),
    xid: null,
    xmetadata: null,
    authorization: null,
    merchant: null,
    ...given,
    refId: newReference(),
    cardAccountId: account.id,
    cardId: card?.id ?? null,
    cardLast4: card?.last4 ?? null,
    cardEmbossedName: card?.embossedName ?? null,
    createdAt: now,
    postedAt: entry.status === 'posted' ? now : null,
    currency: account.currency,
    amount: entry.amount.toString(),
    grossAmount: grossAmount.toString(),
    refundedAmount: '0',
    disputeStatus: null,
    reversedAt: null,
  }
  const record = toCardAccountTransaction(transaction)
  await db.insert(cardAccountTransactions).values(transaction)
  if (entry.status === 'pending') {
    await scheduleWork(change, { kind: 'capture-transaction', subject: transaction.id, afterMs: captureDelayMs })
  }
  const isDeclined = entry.status === 'declined'
  await recordEvent(change, `cardaccount.transaction.${isDeclined ? 'declined' : 'created'}`, record)
  return { transaction, account: await moveFigures(change, account, null, transaction) }
}

/** Posts a pending entry, or a part of it. Null for an entry that is not pending and for a part that it does not have. */
export async function captureEntry(
  change: ServiceWrite,
  found: BookedEntry,
  part?: Amount,
): Promise<TransactionRow | null> {
  const { now } = change
  const after = posted(found.transaction, now, part)
  return after && (await changeEntry(change, found, after)).transaction
}

/** Makes an entry of a locked account void. Null where it never counted, or does not any more. */
export async function voidEntry(change: ServiceWrite, found: BookedEntry): Promise<TransactionRow | null> {
  const after = voided(found.transaction)
  if (!after) return null
  await cancelWork(change.db, { kind: 'capture-transaction', subject: after.id })
  return (await changeEntry(change, found, after)).transaction
}

/** Reverses what is left of a charge, or a part of it. Null for anything but a charge, and for a part that it does not have. */
export async function reverseEntry(
  change: ServiceWrite,
  found: BookedEntry,
  part?: Amount,
): Promise<{ transaction: TransactionRow; refund: TransactionRow | null } | null> {
  const { db, now } = change
  const reversal = makeReversal(found.transaction, now, part)
  if (!reversal) return null
  const { original, refund } = reversal
  if (!refund) {
    if (original.status === 'void') await cancelWork(db, { kind: 'capture-transaction', subject: original.id })
    return { transaction: (await changeEntry(change, found, original)).transaction, refund: null }
  }
  await writeEntry(db, original)
  const refunded = await postEntry(change, found.account, {
    status: 'posted',
    intent: 'refund',
    entryType: 'DEBIT',
    description: `Refund · ${original.description}`,
    amount: refund,
    card: toEntryCard(original),
  })
  return { transaction: original, refund: refunded.transaction }
}

/** Moves the dispute of a transaction to any status, or to none. Throws `TRANSACTION_NOT_FOUND`. */
export async function setDispute(
  change: ServiceWrite,
  transactionId: string,
  disputeStatus: DisputeStatus | null,
): Promise<TransactionRow> {
  const found = await requireLockedEntry(change.db, transactionId)
  if (found.transaction.disputeStatus === disputeStatus) return found.transaction
  return (await changeEntry(change, found, { ...found.transaction, disputeStatus })).transaction
}

/** Repays all that a locked account owes. Null where nothing is owed. */
export async function repayOutstanding(change: ServiceWrite, account: CardAccountRow): Promise<TransactionRow | null> {
  const outstanding = outstandingAmount(account.balance)
  if (outstanding.isZero()) return null
  const { transaction } = await postEntry(change, account, {
    status: 'posted',
    intent: 'repay',
    entryType: 'DEBIT',
    description: 'Repayment',
    amount: outstanding,
  })
  return transaction
}

/** Sets the limit of a locked credit account, rounded to its currency's minor unit. Throws `INVALID_PARAMETERS` for a prepaid one. */
export async function setLimit(change: ServiceWrite, account: CardAccountRow, limit: Amount): Promise<CardAccountRow> {
  if (account.accountType === 'prepaid') {
    throw new ApiError('INVALID_PARAMETERS', 'cardAccountId: a prepaid account has no limit')
  }
  const changed = { ...account, limit: roundToMinorUnit(limit, account.currency).toString() }
  await change.db.update(cardAccounts).set({ limit: changed.limit }).where(eq(cardAccounts.id, account.id))
  await recordEvent(change, 'cardaccount.balance', toCardAccount(changed))
  return changed
}

async function changeEntry(change: ServiceWrite, found: BookedEntry, after: TransactionRow): Promise<BookedEntry> {
  await writeEntry(change.db, after)
  await recordEvent(change, 'cardaccount.transaction.updated', toCardAccountTransaction(after))
  return { transaction: after, account: await moveFigures(change, found.account, found.transaction, after) }
}

async function writeEntry(db: Transaction, entry: TransactionRow): Promise<void> {
  const { status, postedAt, amount, grossAmount, refundedAmount, disputeStatus, reversedAt } = entry
  await db
    .update(cardAccountTransactions)
    .set({ status, postedAt, amount, grossAmount, refundedAmount, disputeStatus, reversedAt })
    .where(eq(cardAccountTransactions.id, entry.id))
}

async function moveFigures(
  change: ServiceWrite,
  account: CardAccountRow,
  before: TransactionRow | null,
  after: TransactionRow,
): Promise<CardAccountRow> {
  const figures = { balance: amount(account.balance), disputeAmount: amount(account.disputeAmount) }
  const moved = movedFigures(figures, before, after)
  const hasNewBalance = !moved.balance.eq(figures.balance)
  if (!hasNewBalance && moved.disputeAmount.eq(figures.disputeAmount)) return account
  const written = { balance: moved.balance.toString(), disputeAmount: moved.disputeAmount.toString() }
  const changed = { ...account, ...written }
  requireWithinBound(changed)
  await change.db.update(cardAccounts).set(written).where(eq(cardAccounts.id, account.id))
  if (hasNewBalance) await recordEvent(change, 'cardaccount.balance', toCardAccount(changed))
  return changed
}

/** Decision: an account's figures stay below this, so that JSON numbers carry them, what is available, and sums of many of them. */
export const balanceBound = 1e12

function requireWithinBound({ balance, disputeAmount }: CardAccountRow): void {
  if ([balance, disputeAmount].every((figure) => amount(figure).abs().lt(balanceBound))) return
  throw new ApiError('INVALID_PARAMETERS', 'the account would come to 1,000,000,000,000 or more')
}

/** Throws `INVALID_PARAMETERS` for an amount with more decimals than the minor unit of its currency. */
export function requireMinorUnit(value: Amount, currency: string, field = 'amount'): void {
  if (fitsMinorUnit(value, currency)) return
  throw new ApiError('INVALID_PARAMETERS', `${field}: must not have more decimals than ${currency} has`)
}

/** Whether a JSON number carries the amount. */
export function isReportable(value: Amount): boolean {
  try {
    toWire(value)
    return true
  } catch {
    return false
  }
}

function toEntryCard(entry: TransactionRow): NewEntry['card'] {
  const { cardId, cardLast4, cardEmbossedName } = entry
  return cardId === null ? null : { id: cardId, last4: cardLast4 ?? '', embossedName: cardEmbossedName ?? '' }
}

function newReference(): string {
  return `TXN${String(randomInt(10 ** 12)).padStart(12, '0')}`
}
