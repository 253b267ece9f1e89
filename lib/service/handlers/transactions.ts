import { eq, gte, lte, sql } from 'drizzle-orm'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import { requireCardAccount } from '../card-account-record.ts'
import type { Handlers } from '../handler.ts'
import { defineList } from '../lists.ts'
import { cardAccountTransactions as transactions } from '../tables/transactions.ts'
import { toCardAccountTransaction, type TransactionRow } from '../transaction-record.ts'

type Query = ParsedRequest<'listCardAccountTransactions'>['query']

const transactionList = defineList<Query, TransactionRow>({
  name: 'cardaccounts/transactions',
  select: (db) => db.select().from(transactions),
  createdAt: transactions.createdAt,
  id: transactions.id,
  position: (row) => row,
  filters: {
    cardAccountId: (value) => eq(transactions.cardAccountId, value),
    cardId: (value) => eq(transactions.cardId, value),
    transactionId: (value) => eq(transactions.id, value),
    status: (value) => eq(transactions.status, value),
    xid: (value) => eq(transactions.xid, value),
    intent: (value) => sql`${transactions.intent} = any(${value})`,
    dateRangeFrom: (value) => gte(transactions.createdAt, value),
    dateRangeTo: (value) => lte(transactions.createdAt, value),
  },
})

export const transactionHandlers = {
  listCardAccountTransactions: async ({ query }, context) => {
    const { rows, ...tokens } = await transactionList(context, query)
    if (rows.length === 0) await requireCardAccount(context.db, query.cardAccountId)
    return { transactions: rows.map(toCardAccountTransaction), ...tokens }
  },
} satisfies Handlers<'listCardAccountTransactions'>
