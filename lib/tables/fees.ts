import { sql } from 'drizzle-orm'
import { bigint, index, primaryKey, text } from 'drizzle-orm/pg-core'
import { consoleSchema, environmentColumn, indexedRecord, indexProgress, instant, money } from './schema.ts'

/**
 * The index of fees: the interface has no filter by status, no free text and no totals of them. A column is null where the service did
 * not provide its value. The details of a fee, and the check before a waiver, read the service.
 */
export const indexedFees = consoleSchema.table(
  'index_fees',
  {
    environment: environmentColumn(),
    id: text('id').notNull(),
    /** Null where it was charged to a funding account. */
    cardAccountId: text('card_account_id'),
    transactionId: text('transaction_id'),
    transactionXid: text('transaction_xid'),
    /** The status of the transaction that carries it: where the index of transactions has another one, the fee is read again. */
    transactionStatus: text('transaction_status'),
    intent: text('intent'),
    status: text('status'),
    currency: text('currency'),
    /** As sent, without a direction. */
    amount: money('amount'),
    /** Its effect on the balance, signed; null without an amount or a direction. */
    change: money('change'),
    createdAt: instant('created_at'),
    /** The text for free-text search: intent, description, ids and references, in lower case. */
    searchText: text('search_text').notNull(),
    /** That of its account; null where the index does not have the account. */
    accountText: text('account_text'),
    ...indexedRecord(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('index_fees_id').on(table.environment, sql`lower(id)`),
    index('index_fees_xid').on(table.environment, sql`lower(transaction_xid)`),
    index('index_fees_transaction').on(table.environment, table.transactionId),
    index('index_fees_by_created').on(table.environment, table.createdAt, table.id),
    index('index_fees_by_amount').on(table.environment, table.currency, table.amount, table.id),
    index('index_fees_account').on(table.environment, table.cardAccountId, table.createdAt, table.id),
    index('index_fees_status').on(table.environment, table.status, table.createdAt, table.id),
    index('index_fees_intent').on(table.environment, table.intent, table.createdAt, table.id),
    // The amounts of an intent are close together: from the index by amount alone, most fees would be left out before a page is full.
    index('index_fees_intent_amount').on(table.environment, table.intent, table.currency, table.amount, table.id),
    // Totals read this one alone.
    index('index_fees_totals').on(
      table.environment,
      table.currency,
      table.status,
      table.intent,
      table.change,
      table.createdAt,
    ),
  ],
)

/** How far the index of fees is. */
export const feeProgress = consoleSchema.table('index_fee_progress', {
  ...indexProgress(),
  /** Where an interrupted whole reading goes on: `createdAt` of the oldest fee that it has read, and when it began. */
  resumeAt: instant('resume_at'),
  resumeSince: instant('resume_since'),
  /** Goes up after each write of fees: sums that were taken since the last one are those of now. */
  writes: bigint('writes', { mode: 'number' }).notNull().default(0),
})
