import { sql } from 'drizzle-orm'
import { check, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { TransactionIntent, TransactionStatus } from '#lib/contract/terms.ts'
import type { CardAccountTransaction, DisputeStatus } from '#lib/contract/transactions.ts'
import { cardAccounts } from './card-accounts.ts'
import { instant, money, service, xmetadata } from './schema.ts'

export const cardAccountTransactions = service.table(
  'card_account_transactions',
  {
    id: uuid('id').primaryKey(),
    xid: text('xid'),
    xmetadata: xmetadata(),
    refId: text('ref_id').notNull(),
    cardAccountId: uuid('card_account_id')
      .notNull()
      .references(() => cardAccounts.id),
    cardId: uuid('card_id'),
    cardLast4: text('card_last4'),
    cardEmbossedName: text('card_embossed_name'),
    createdAt: instant('created_at').notNull(),
    status: text('status').notNull().$type<TransactionStatus>(),
    postedAt: instant('posted_at'),
    intent: text('intent').notNull().$type<TransactionIntent>(),
    authorization: jsonb('authorization').$type<NonNullable<CardAccountTransaction['authorization']>>(),
    merchant: jsonb('merchant').$type<NonNullable<CardAccountTransaction['merchant']>>(),
    currency: text('currency').notNull(),
    amount: money('amount').notNull(),
    entryType: text('entry_type').notNull().$type<'CREDIT' | 'DEBIT'>(),
    description: text('description').notNull(),
    disputeStatus: text('dispute_status').$type<DisputeStatus>(),
    grossAmount: money('gross_amount').notNull(),
    /** The sum of the refunds of a posted charge. It never exceeds the amount. */
    refundedAmount: money('refunded_amount').notNull().default('0'),
    /** When the charge was reversed in full; set once, so that a second reversal is refused. */
    reversedAt: instant('reversed_at'),
  },
  (table) => [
    index('card_account_transactions_newest').on(table.cardAccountId, table.createdAt, table.id),
    index('card_account_transactions_card')
      .on(table.cardId, table.createdAt)
      .where(sql`card_id is not null`),
    check('card_account_transactions_amount', sql`${table.amount} >= 0`),
    check(
      'card_account_transactions_refunded',
      sql`${table.refundedAmount} >= 0 and ${table.refundedAmount} <= ${table.amount}`,
    ),
    check('card_account_transactions_posted', sql`(${table.status} = 'posted') = (${table.postedAt} is not null)`),
  ],
)
