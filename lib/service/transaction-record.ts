import type { CardAccountTransaction } from '#lib/contract/transactions.ts'
import { toWire } from '#lib/shared/money.ts'
import type { cardAccountTransactions } from './tables/transactions.ts'

export type TransactionRow = typeof cardAccountTransactions.$inferSelect

/** The CardAccountTransaction of the interface. */
export function toCardAccountTransaction(row: TransactionRow): CardAccountTransaction {
  return {
    id: row.id,
    xid: row.xid,
    xmetadata: row.xmetadata as CardAccountTransaction['xmetadata'],
    refId: row.refId,
    cardAccountId: row.cardAccountId,
    cardId: row.cardId,
    cardLast4: row.cardLast4,
    cardEmbossedName: row.cardEmbossedName,
    createdAt: row.createdAt.toISOString(),
    status: row.status,
    postedAt: row.postedAt?.toISOString() ?? null,
    intent: row.intent,
    authorization: row.authorization,
    merchant: row.merchant,
    currency: row.currency,
    amount: toWire(row.amount),
    entryType: row.entryType,
    description: row.description,
    disputeStatus: row.disputeStatus,
    grossAmount: toWire(row.grossAmount),
  }
}
