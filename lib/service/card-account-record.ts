import { eq, getTableColumns } from 'drizzle-orm'
import { CardAccount } from '#lib/contract/card-accounts.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { toWire } from '#lib/shared/money.ts'
import { ApiError } from './api-error.ts'
import { available } from './card-limits.ts'
import { outstandingAmount } from './ledger/entry-changes.ts'
import { cardAccounts } from './tables/card-accounts.ts'
import { wireRecord } from './wire-record.ts'

const { individual: _individual, ...recordColumns } = getTableColumns(cardAccounts)

/** The columns of a CardAccount record: all but the cardholder's personal data. */
export function selectCardAccounts(db: Queryable) {
  return db.select(recordColumns).from(cardAccounts)
}

export type CardAccountRow = Omit<typeof cardAccounts.$inferSelect, 'individual'>

/** The card account record. `outstanding` is what is owed: 0 unless the balance is negative. */
export function toCardAccount(row: CardAccountRow): CardAccount {
  return record(row, { outstanding: toWire(outstandingAmount(row.balance)), available: toWire(available(row)) })
}

const record = wireRecord(CardAccount)

/** A row of a card account. Throws `CARD_ACCOUNT_NOT_FOUND` where there is none. */
export function requireFound<Row>(row: Row | undefined): Row {
  if (!row) throw new ApiError('CARD_ACCOUNT_NOT_FOUND', 'there is no such card account')
  return row
}

/** Throws `CARD_ACCOUNT_NOT_FOUND` unless there is such a card account. */
export async function requireCardAccount(db: Queryable, cardAccountId: string): Promise<void> {
  const [found] = await db.select({ id: cardAccounts.id }).from(cardAccounts).where(eq(cardAccounts.id, cardAccountId))
  requireFound(found)
}
