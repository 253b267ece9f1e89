import { index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { Payout } from '#lib/contract/payouts.ts'
import { exchangeRate, instant, money, service, xmetadata } from './schema.ts'

/** Funding accounts of payouts. */
export const accounts = service.table('accounts', {
  id: uuid('id').primaryKey(),
  number: text('number').notNull(),
  name: text('name').notNull(),
  currency: text('currency').notNull(),
  balance: money('balance').notNull(),
  available: money('available').notNull(),
})

/** The account ledger: what moved the balance of a funding account. */
export const accountTransactions = service.table(
  'account_transactions',
  {
    id: uuid('id').primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    createdAt: instant('created_at').notNull(),
    /** When it moved the balance: no two posted entries of an account share it. Until then, when it was recorded. */
    time: instant('time').notNull(),
    asset: text('asset').notNull(),
    /** Signed: positive = credit, negative = debit. */
    amount: money('amount').notNull(),
    /** Null until the entry is posted. */
    balance: money('balance'),
    intent: text('intent').notNull().$type<'transfer' | 'topup' | 'payout'>(),
    intentId: uuid('intent_id').notNull(),
    intentRefId: uuid('intent_ref_id').notNull(),
    status: text('status').notNull().$type<'pending' | 'posted' | 'void'>(),
    description: text('description').notNull(),
    accountNumber: text('account_number').notNull(),
    accountLabel: text('account_label').notNull(),
    fromAccountNumber: text('from_account_number'),
    fromAccountLabel: text('from_account_label'),
    toAccountNumber: text('to_account_number'),
    toAccountLabel: text('to_account_label'),
    xid: text('xid'),
    xmetadata: xmetadata(),
  },
  (table) => [
    index('account_transactions_newest').on(table.time, table.id),
    index('account_transactions_of_account').on(table.accountId, table.time, table.id),
  ],
)

export const quotes = service.table('quotes', {
  id: uuid('id').primaryKey(),
  method: text('method').notNull(),
  accountId: uuid('account_id').notNull(),
  sourceAmount: money('source_amount').notNull(),
  sourceCurrency: text('source_currency').notNull(),
  destinationCountry: text('destination_country').notNull(),
  destinationCurrency: text('destination_currency').notNull(),
  destinationAmount: money('destination_amount').notNull(),
  rate: exchangeRate('rate').notNull(),
  /** Contact data that a country's rule required of the destination (mobile number, e-mail) and the source, for the execution. */
  destinationContact: jsonb('destination_contact').notNull().$type<{ mobileNumber?: string; email?: string }>(),
  source: jsonb('source').$type<Record<string, unknown>>(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  /** The payout that used it; a quote is used once. */
  payoutId: uuid('payout_id'),
})

export const payouts = service.table(
  'payouts',
  {
    id: uuid('id').primaryKey(),
    xid: text('xid'),
    xmetadata: xmetadata(),
    created: instant('created').notNull(),
    updated: instant('updated').notNull(),
    method: text('method').notNull(),
    destination: jsonb('destination').notNull().$type<Payout['destination']>(),
    source: jsonb('source').$type<Record<string, unknown>>(),
    purpose: text('purpose'),
    sourceOfFunds: text('source_of_funds'),
    remarks: text('remarks'),
    accountId: uuid('account_id').notNull(),
    quoteId: uuid('quote_id'),
    sourceCurrency: text('source_currency').notNull(),
    destinationCurrency: text('destination_currency').notNull(),
    sourceAmount: money('source_amount').notNull(),
    destinationAmount: money('destination_amount').notNull(),
    rate: exchangeRate('rate').notNull(),
    status: text('status').notNull(),
    subStatus: text('sub_status'),
    cancellationReason: text('cancellation_reason'),
  },
  (table) => [
    index('payouts_newest').on(table.created, table.id),
    index('payouts_of_account').on(table.accountId, table.created, table.id),
  ],
)
