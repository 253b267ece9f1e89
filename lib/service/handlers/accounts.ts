import { asc, eq, gte, lte } from 'drizzle-orm'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import { ApiError } from '../api-error.ts'
import type { Handlers } from '../handler.ts'
import { defineList } from '../lists.ts'
import { toAccount, toAccountTransaction } from '../payouts/account-ledger.ts'
import { accounts, accountTransactions } from '../tables/payouts.ts'

type TransactionRow = typeof accountTransactions.$inferSelect

const transactionList = defineList<ParsedRequest<'listAccountTransactions'>['query'], TransactionRow>({
  name: 'accounts/transactions',
  select: (db) => db.select().from(accountTransactions),
  createdAt: accountTransactions.time,
  id: accountTransactions.id,
  position: ({ id, time }) => ({ id, createdAt: time }),
  filters: {
    accountId: (value) => eq(accountTransactions.accountId, value),
    intent: (value) => eq(accountTransactions.intent, value),
    status: (value) => eq(accountTransactions.status, value),
    dateRangeFrom: (value) => gte(accountTransactions.time, value),
    dateRangeTo: (value) => lte(accountTransactions.time, value),
  },
})

export const accountHandlers = {
  listAccounts: async (_request, { db }) => {
    const rows = await db.select().from(accounts).orderBy(asc(accounts.name), asc(accounts.id))
    return { accounts: rows.map(toAccount) }
  },

  listAccountTransactions: async ({ query }, context) => {
    const { db } = context
    const { accountId } = query
    if (accountId !== undefined) {
      const found = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId))
      if (found.length === 0) throw new ApiError('ACCOUNT_NOT_FOUND', 'there is no such funding account')
    }
    const { rows, ...tokens } = await transactionList(context, query)
    return { transactions: rows.map(toAccountTransaction), ...tokens }
  },
} satisfies Handlers<'listAccounts' | 'listAccountTransactions'>
