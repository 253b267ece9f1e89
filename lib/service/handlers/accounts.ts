import { and, asc, eq, gte, lte } from 'drizzle-orm'
import { ApiError } from '../api-error.ts'
import type { Handlers } from '../handler.ts'
import { readPage } from '../pages.ts'
import { toAccount, toAccountTransaction } from '../payouts/account-ledger.ts'
import { accounts, accountTransactions } from '../tables/payouts.ts'

export const accountHandlers = {
  listAccounts: async (_request, { db }) => {
    const rows = await db.select().from(accounts).orderBy(asc(accounts.name), asc(accounts.id))
    return { accounts: rows.map(toAccount) }
  },

  listAccountTransactions: async ({ query }, context) => {
    const { db } = context
    const { accountId, intent, status, dateRangeFrom, dateRangeTo } = query
    if (accountId !== undefined) {
      const found = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId))
      if (found.length === 0) throw new ApiError('ACCOUNT_NOT_FOUND', 'there is no such funding account')
    }
    const { rows, ...tokens } = await readPage(context, {
      list: 'accounts/transactions',
      query,
      createdAt: accountTransactions.time,
      id: accountTransactions.id,
      read: ({ where, orderBy, limit }) =>
        db
          .select()
          .from(accountTransactions)
          .where(
            and(
              accountId === undefined ? undefined : eq(accountTransactions.accountId, accountId),
              intent === undefined ? undefined : eq(accountTransactions.intent, intent),
              status === undefined ? undefined : eq(accountTransactions.status, status),
              dateRangeFrom === undefined ? undefined : gte(accountTransactions.time, dateRangeFrom),
              dateRangeTo === undefined ? undefined : lte(accountTransactions.time, dateRangeTo),
              where,
            ),
          )
          .orderBy(...orderBy)
          .limit(limit),
      position: ({ id, time }) => ({ id, createdAt: time }),
    })
    return { transactions: rows.map(toAccountTransaction), ...tokens }
  },
} satisfies Handlers<'listAccounts' | 'listAccountTransactions'>
