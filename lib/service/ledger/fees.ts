import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { FeeEntry } from '#lib/contract/fees.ts'
import type { Amount } from '#lib/shared/money.ts'
import { ApiError } from '../api-error.ts'
import { lockCardRow } from '../card-changes.ts'
import type { CardRow } from '../card-record.ts'
import type { ServiceWrite } from '../clock.ts'
import { cancelWork, type Performer } from '../due-work.ts'
import { newRowId } from '../row-ids.ts'
import { fees } from '../tables/fees.ts'
import { toCardAccountTransaction, type TransactionRow } from '../transaction-record.ts'
import { wireRecord } from '../wire-record.ts'
import { captureEntry, postEntry, requireMinorUnit, voidEntry } from './ledger.ts'
import { lockEntry, requireLockedAccount, type BookedEntry } from './locks.ts'

type FeeRow = typeof fees.$inferSelect

/** The FeeEntry of the interface. */
export function toFeeEntry(fee: FeeRow, transaction: TransactionRow): FeeEntry {
  return record(fee, { transaction: toCardAccountTransaction(transaction) })
}

const record = wireRecord(FeeEntry)

type FeeCharge = {
  cardAccountId: string
  /** The card that the fee is for; left out for one of the account. */
  cardId?: string | undefined
  intent: string
  amount: Amount
  /** A pending fee is posted like a charge. Default: posted at once. */
  status?: 'posted' | 'pending'
}

/** Charges a fee in the account's currency. Throws `CARD_ACCOUNT_NOT_FOUND`, `CARD_NUMBER_MISMATCH`, `INVALID_PARAMETERS`. */
export async function chargeFee(change: ServiceWrite, charge: FeeCharge): Promise<FeeEntry> {
  const { db, now } = change
  const account = await requireLockedAccount(db, charge.cardAccountId)
  requireMinorUnit(charge.amount, account.currency)
  const { status = 'posted' } = charge
  const { transaction } = await postEntry(change, account, {
    status,
    intent: 'fee',
    entryType: 'CREDIT',
    description: `Fee · ${charge.intent}`,
    amount: charge.amount,
    card: await findCard(change, charge),
  })
  const fee: FeeRow = {
    id: newRowId(),
    cardAccountId: account.id,
    transactionId: transaction.id,
    amount: transaction.amount,
    currency: account.currency,
    status,
    intent: charge.intent,
    intentId: randomUUID(),
    createdAt: now,
  }
  await db.insert(fees).values(fee)
  return toFeeEntry(fee, transaction)
}

/** The card of an entry that may have none. Throws `CARD_NUMBER_MISMATCH` for one of another account. */
export async function findCard(
  change: ServiceWrite,
  { cardAccountId, cardId }: { cardAccountId: string; cardId?: string | undefined },
): Promise<CardRow['card'] | null> {
  return cardId === undefined ? null : (await lockCardRow(change, { cardAccountId, cardId })).card
}

/** Waives a fee: fee and transaction become void, and the balance is right with them. Throws `FEE_NOT_FOUND`, `INVALID_PARAMETERS`. */
export async function waiveFee(change: ServiceWrite, feeId: string): Promise<FeeEntry> {
  const { db } = change
  const [reference] = await db.select().from(fees).where(eq(fees.id, feeId))
  const found = reference && (await lockEntry(db, reference.transactionId))
  if (!found) throw new ApiError('FEE_NOT_FOUND', 'there is no such fee')
  const voided = await voidEntry(change, found)
  if (!voided) throw new ApiError('INVALID_PARAMETERS', 'id: must be a fee that is not void already')
  const status = 'void'
  await db.update(fees).set({ status }).where(eq(fees.id, feeId))
  return toFeeEntry({ ...reference, status }, voided)
}

/** Posts a pending entry when its time has come. */
export const captureTransaction: Performer = async (change) => {
  const found = await lockEntry(change.db, change.subject)
  if (found) await captureWithFee(change, found)
}

/** Posts a pending entry before its time, or a part of it. Null for an entry that is not pending and for a part that it does not have. */
export async function captureNow(
  change: ServiceWrite,
  found: BookedEntry,
  part?: Amount,
): Promise<TransactionRow | null> {
  const captured = await captureWithFee(change, found, part)
  if (captured) await cancelWork(change.db, { kind: 'capture-transaction', subject: captured.id })
  return captured
}

/** A fee is posted together with the entry that carries it. */
async function captureWithFee(change: ServiceWrite, found: BookedEntry, part?: Amount) {
  const captured = await captureEntry(change, found, part)
  if (captured?.intent !== 'fee') return captured
  await change.db
    .update(fees)
    .set({ status: 'posted', amount: captured.amount })
    .where(and(eq(fees.cardAccountId, captured.cardAccountId), eq(fees.transactionId, captured.id)))
  return captured
}
