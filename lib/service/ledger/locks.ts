import { eq, inArray } from 'drizzle-orm'
import type { Transaction } from '#lib/db/connection.ts'
import { ApiError } from '../api-error.ts'
import { type CardAccountRow, requireFound, selectCardAccounts } from '../card-account-record.ts'
import { cardAccounts } from '../tables/card-accounts.ts'
import { cardAccountTransactions } from '../tables/transactions.ts'
import type { TransactionRow } from '../transaction-record.ts'

/** An entry with its account, as both are now. */
export type BookedEntry = { account: CardAccountRow; transaction: TransactionRow }

/** A card account, its row locked until the transaction ends; undefined where there is none. */
async function lockAccount(db: Transaction, cardAccountId: string): Promise<CardAccountRow | undefined> {
  const [account] = await selectCardAccounts(db).where(eq(cardAccounts.id, cardAccountId)).for('update')
  return account
}

/** Locks the card account's row. Throws `CARD_ACCOUNT_NOT_FOUND` if it is missing. */
export async function requireLockedAccount(db: Transaction, cardAccountId: string): Promise<CardAccountRow> {
  return requireFound(await lockAccount(db, cardAccountId))
}

/**
 * Card accounts by id, their rows locked in one order, so that two callers with the same accounts never wait for each
 * other in a circle.
 */
export async function lockAccounts(
  db: Transaction,
  cardAccountIds: readonly string[],
): Promise<Map<string, CardAccountRow>> {
  const rows = await selectCardAccounts(db)
    .where(inArray(cardAccounts.id, [...new Set(cardAccountIds)]))
    .orderBy(cardAccounts.id)
    .for('update')
  return new Map(rows.map((row) => [row.id, row]))
}

/** An entry with its account, the account's row locked first: nothing else can change either until the end. */
export async function lockEntry(db: Transaction, transactionId: string): Promise<BookedEntry | null> {
  const owner = db
    .select({ cardAccountId: cardAccountTransactions.cardAccountId })
    .from(cardAccountTransactions)
    .where(eq(cardAccountTransactions.id, transactionId))
  const [reference] = await owner
  const account = reference && (await lockAccount(db, reference.cardAccountId))
  const [transaction] = await db
    .select()
    .from(cardAccountTransactions)
    .where(eq(cardAccountTransactions.id, transactionId))
  return account && transaction ? { account, transaction } : null
}

/** Locks the transaction's row and its account's. Throws `TRANSACTION_NOT_FOUND` if it is missing. */
export async function requireLockedEntry(db: Transaction, transactionId: string): Promise<BookedEntry> {
  const found = await lockEntry(db, transactionId)
  if (!found) throw new ApiError('TRANSACTION_NOT_FOUND', 'there is no such transaction')
  return found
}
