import { and, eq, gte, inArray, lte } from 'drizzle-orm'
import type { Handlers } from '../handler.ts'
import { toFeeEntry, waiveFee } from '../ledger/fees.ts'
import { readPage } from '../pages.ts'
import { fees } from '../tables/fees.ts'
import { cardAccountTransactions as transactions } from '../tables/transactions.ts'

export const feeHandlers = {
  listFees: async ({ query }, context) => {
    const { feeId, intent, xid, dateRangeFrom, dateRangeTo, accountId } = query
    const { rows, ...tokens } = await readPage(context, {
      list: 'fees',
      query,
      createdAt: fees.createdAt,
      id: fees.id,
      read: ({ where, orderBy, limit }) =>
        context.db
          .select({ fee: fees, transaction: transactions })
          .from(fees)
          .innerJoin(transactions, eq(transactions.id, fees.transactionId))
          .where(
            and(
              feeId === undefined ? undefined : eq(fees.id, feeId),
              intent === undefined ? undefined : eq(fees.intent, intent),
              xid === undefined ? undefined : eq(transactions.xid, xid),
              dateRangeFrom === undefined ? undefined : gte(fees.createdAt, dateRangeFrom),
              dateRangeTo === undefined ? undefined : lte(fees.createdAt, dateRangeTo),
              accountId === undefined ? undefined : inArray(fees.cardAccountId, accountId),
              where,
            ),
          )
          .orderBy(...orderBy)
          .limit(limit),
      position: ({ fee }) => fee,
    })
    return { fees: rows.map(({ fee, transaction }) => toFeeEntry(fee, transaction)), ...tokens }
  },

  waiveFee: async ({ body }, { db, now }) => waiveFee(db, now, body.id),
} satisfies Handlers<'listFees' | 'waiveFee'>
