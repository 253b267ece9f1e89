import { index, text, uuid } from 'drizzle-orm/pg-core'
import { instant, money, service } from './schema.ts'
import { cardAccountTransactions } from './transactions.ts'

export const fees = service.table(
  'fees',
  {
    id: uuid('id').primaryKey(),
    cardAccountId: uuid('card_account_id').notNull(),
    transactionId: uuid('transaction_id')
      .notNull()
      .references(() => cardAccountTransactions.id),
    amount: money('amount').notNull(),
    currency: text('currency').notNull(),
    status: text('status').notNull().$type<'pending' | 'posted' | 'void'>(),
    intent: text('intent').notNull(),
    intentId: text('intent_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('fees_newest').on(table.createdAt, table.id),
    index('fees_of_account').on(table.cardAccountId, table.createdAt, table.id),
  ],
)
