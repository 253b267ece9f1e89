import { eq, gte, lte, sql } from 'drizzle-orm'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import { toWire } from '#lib/shared/money.ts'
import { ApiError } from '../api-error.ts'
import { authorize } from '../authorization.ts'
import { requireCardAccount } from '../card-account-record.ts'
import type { Handlers } from '../handler.ts'
import { repayOutstanding, reverseEntry } from '../ledger/ledger.ts'
import { lockAccounts, lockEntry } from '../ledger/locks.ts'
import { defineList } from '../lists.ts'
import { cardAccountTransactions as transactions } from '../tables/transactions.ts'
import { toCardAccountTransaction, type TransactionRow } from '../transaction-record.ts'

type Query = ParsedRequest<'listCardAccountTransactions'>['query']

export const cardAccountTransactionList = defineList<Query, TransactionRow>({
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
    const { rows, ...tokens } = await cardAccountTransactionList.read(context, query)
    if (rows.length === 0) await requireCardAccount(context.db, query.cardAccountId)
    return { transactions: rows.map(toCardAccountTransaction), ...tokens }
  },
} satisfies Partial<Handlers>

export const simulatorHandlers = {
  simulateAuthorization: async ({ body }, change) => ({ cardTransactionId: await authorize(change, body) }),

  simulateFullReversal: async ({ body }, change) => {
    await requireCardAccount(change.db, body.cardAccountId)
    const found = await lockEntry(change.db, body.cardTransactionId)
    if (!found || found.account.id !== body.cardAccountId) {
      throw new ApiError('TRANSACTION_NOT_FOUND', 'there is no such transaction on this card account')
    }
    if (!(await reverseEntry(change, found))) {
      throw new ApiError(
        'INVALID_PARAMETERS',
        'cardTransactionId: must be a pending or posted charge that was not reversed before',
      )
    }
    return { cardTransactionId: found.transaction.id }
  },

  /** Each account is settled separately: an unknown one, or one that owes nothing, does not stop the others. */
  simulateRepay: async ({ body }, change) => {
    const accounts = await lockAccounts(change.db, body.cardAccountIds)
    const repayments = []
    for (const cardAccountId of body.cardAccountIds) {
      const account = accounts.get(cardAccountId)
      if (!account) {
        repayments.push({ cardAccountId, currency: null, repayAmount: null, error: 'there is no such card account' })
        continue
      }
      const { currency } = account
      const repaid = await repayOutstanding(change, account)
      if (repaid) accounts.set(cardAccountId, { ...account, balance: '0' })
      repayments.push(
        repaid
          ? { cardAccountId, currency, repayAmount: toWire(repaid.amount), error: null }
          : { cardAccountId, currency, repayAmount: null, error: 'nothing is outstanding on this card account' },
      )
    }
    return { repayments }
  },
} satisfies Partial<Handlers>
