import { desc, eq } from 'drizzle-orm'
import { Account, AccountTransaction } from '#lib/contract/accounts.ts'
import type { Transaction } from '#lib/db/connection.ts'
import { amount, type Amount } from '#lib/shared/money.ts'
import type { ServiceWrite } from '../clock.ts'
import { recordEvent } from '../events.ts'
import { newRowId } from '../row-ids.ts'
import { accounts, accountTransactions } from '../tables/payouts.ts'
import { wireRecord } from '../wire-record.ts'

export type AccountRow = typeof accounts.$inferSelect
type EntryRow = typeof accountTransactions.$inferSelect

/** The other side of an entry: where money went, or came back from. */
type Counterparty = { number: string; label: string }

/** A funding account, its row locked until the transaction ends; null when there is none. */
export async function lockAccount(db: Transaction, accountId: string): Promise<AccountRow | null> {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId)).for('update')
  return account ?? null
}

export type NewEntry = {
  /** Signed: positive = credit, negative = debit. */
  amount: Amount
  intent: AccountTransaction['intent'] & EntryRow['intent']
  intentId: string
  intentRefId: string
  description: string
  counterparty: Counterparty
}

/**
 * Posts an entry to a locked account: balance and available move by its amount, and `account.transaction.created` is
 * recorded. Whether the account holds enough is the caller's question.
 */
export async function postAccountEntry(
  change: ServiceWrite,
  account: AccountRow,
  entry: NewEntry,
): Promise<AccountRow> {
  const { db, now } = change
  const balance = amount(account.balance).plus(entry.amount).toString()
  const available = amount(account.available).plus(entry.amount).toString()
  const own = { number: account.number, label: account.name }
  const [from, to] = entry.amount.isNegative() ? [own, entry.counterparty] : [entry.counterparty, own]
  const row: EntryRow = {
    id: newRowId(),
    accountId: account.id,
    createdAt: now,
    time: await findPostingTime(db, now),
    asset: account.currency,
    amount: entry.amount.toString(),
    balance,
    intent: entry.intent,
    intentId: entry.intentId,
    intentRefId: entry.intentRefId,
    status: 'posted',
    description: entry.description,
    accountNumber: account.number,
    accountLabel: account.name,
    fromAccountNumber: from.number,
    fromAccountLabel: from.label,
    toAccountNumber: to.number,
    toAccountLabel: to.label,
    xid: null,
    xmetadata: null,
  }
  await db.insert(accountTransactions).values(row)
  await db.update(accounts).set({ balance, available }).where(eq(accounts.id, account.id))
  await recordEvent(change, 'account.transaction.created', toAccountTransaction(row))
  return { ...account, balance, available }
}

/** Now, or a millisecond after the last posting of all accounts where that is not before now: the ledger lists them in this order. */
async function findPostingTime(db: Transaction, now: Date): Promise<Date> {
  const [last] = await db
    .select({ time: accountTransactions.time })
    .from(accountTransactions)
    .where(eq(accountTransactions.status, 'posted'))
    .orderBy(desc(accountTransactions.time), desc(accountTransactions.id))
    .limit(1)
  return last && last.time >= now ? new Date(last.time.getTime() + 1) : now
}

const accountRecord = wireRecord(Account)
const transactionRecord = wireRecord(AccountTransaction)

export function toAccount(row: AccountRow): Account {
  return accountRecord(row)
}

/** The ledger entry in wire form: `time` is when it moved the balance, and `Xmetadata` has its capital X. */
export function toAccountTransaction(row: EntryRow): AccountTransaction {
  return transactionRecord(row, { Xmetadata: row.xmetadata })
}
