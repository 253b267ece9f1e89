import { eq, gte, lte, sql } from 'drizzle-orm'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import type { Handlers } from '../handler.ts'
import { toFeeEntry, waiveFee } from '../ledger/fees.ts'
import { defineList } from '../lists.ts'
import { fees } from '../tables/fees.ts'
import { cardAccountTransactions as transactions } from '../tables/transactions.ts'
import type { TransactionRow } from '../transaction-record.ts'

type Row = { fee: typeof fees.$inferSelect; transaction: TransactionRow }

export const feeList = defineList<ParsedRequest<'listFees'>['query'], Row>({
  name: 'fees',
  select: (db) =>
    db
      .select({ fee: fees, transaction: transactions })
      .from(fees)
      .innerJoin(transactions, eq(transactions.id, fees.transactionId)),
  createdAt: fees.createdAt,
  id: fees.id,
  position: ({ fee }) => fee,
  filters: {
    feeId: (value) => eq(fees.id, value),
    intent: (value) => eq(fees.intent, value),
    xid: (value) => eq(transactions.xid, value),
    dateRangeFrom: (value) => gte(fees.createdAt, value),
    dateRangeTo: (value) => lte(fees.createdAt, value),
    accountId: (value) => sql`${fees.cardAccountId} = any(${value})`,
  },
})

export const feeHandlers = {
  listFees: async ({ query }, context) => {
    const { rows, ...tokens } = await feeList.read(context, query)
    return { fees: rows.map(({ fee, transaction }) => toFeeEntry(fee, transaction)), ...tokens }
  },

  waiveFee: async ({ body }, change) => waiveFee(change, body.id),
} satisfies Partial<Handlers>
