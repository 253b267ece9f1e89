import { eq, getTableColumns } from 'drizzle-orm'
import type { CardAccount } from '#lib/contract/card-accounts.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { amount, toWire } from '#lib/shared/money.ts'
import { ApiError } from './api-error.ts'
import { available } from './card-limits.ts'
import { outstandingOf } from './ledger/entry-changes.ts'
import { cardAccounts } from './tables/card-accounts.ts'

const { individual: _individual, ...recordColumns } = getTableColumns(cardAccounts)

/** The columns of a CardAccount record: all but the cardholder's personal data. */
export function selectCardAccounts(db: Queryable) {
  return db.select(recordColumns).from(cardAccounts)
}

export type CardAccountRow = Omit<typeof cardAccounts.$inferSelect, 'individual'>

/** The card account record. `outstanding` is what is owed: 0 unless the balance is negative. */
export function toCardAccount(row: CardAccountRow): CardAccount {
  const balance = amount(row.balance)
  return {
    id: row.id,
    xid: row.xid,
    xmetadata: row.xmetadata as CardAccount['xmetadata'],
    name: row.name,
    phoneNumber: row.phoneNumber,
    identityType: row.identityType,
    accountType: row.accountType,
    currency: row.currency,
    limit: toWire(row.limit),
    balance: toWire(balance),
    outstanding: toWire(outstandingOf(balance)),
    available: toWire(available(row)),
    disputeAmount: toWire(row.disputeAmount),
    clientIdentityStatus: row.clientIdentityStatus,
    createdAt: row.createdAt.toISOString(),
  }
}

/** Throws `CARD_ACCOUNT_NOT_FOUND` unless there is such a card account. */
export async function requireCardAccount(db: Queryable, cardAccountId: string): Promise<void> {
  const found = await db.select({ id: cardAccounts.id }).from(cardAccounts).where(eq(cardAccounts.id, cardAccountId))
  if (found.length === 0) throw new ApiError('CARD_ACCOUNT_NOT_FOUND', 'there is no such card account')
}
