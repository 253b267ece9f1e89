import { CardAccountTransaction } from '#lib/contract/transactions.ts'
import type { cardAccountTransactions } from './tables/transactions.ts'
import { wireRecord } from './wire-record.ts'

export type TransactionRow = typeof cardAccountTransactions.$inferSelect

const record = wireRecord(CardAccountTransaction)

/** The CardAccountTransaction of the interface. */
export function toCardAccountTransaction(row: TransactionRow): CardAccountTransaction {
  return record(row)
}
