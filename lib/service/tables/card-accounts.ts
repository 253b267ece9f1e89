import { sql } from 'drizzle-orm'
import { check, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { Individual } from '#lib/contract/client-identity.ts'
import { instant, money, service, xmetadata } from './schema.ts'

export const cardAccounts = service.table(
  'card_accounts',
  {
    id: uuid('id').primaryKey(),
    xid: text('xid'),
    xmetadata: xmetadata(),
    name: text('name').notNull(),
    phoneNumber: text('phone_number').notNull(),
    identityType: text('identity_type').notNull(),
    accountType: text('account_type').notNull().$type<'prepaid' | 'credit'>(),
    currency: text('currency').notNull(),
    limit: money('limit').notNull(),
    /** Written only by the ledger, in the transaction of the entry that moves it. */
    balance: money('balance').notNull(),
    /** The balance that the account was opened with, so that balance = opening + DEBIT − CREDIT can be checked. */
    openingBalance: money('opening_balance').notNull(),
    /** Written by the ledger: transactions whose dispute is requested or pending. */
    disputeAmount: money('dispute_amount').notNull(),
    clientIdentityStatus: text('client_identity_status').notNull().$type<'pending' | 'approved' | 'rejected'>(),
    rejectedReason: text('rejected_reason'),
    rejectionAdditionalInfo: text('rejection_additional_info'),
    individual: jsonb('individual').$type<Individual>(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('card_accounts_newest').on(table.createdAt, table.id),
    index('card_accounts_xid').on(table.xid),
    check('card_accounts_limit', sql`${table.limit} >= 0`),
    check('card_accounts_dispute_amount', sql`${table.disputeAmount} >= 0`),
  ],
)
