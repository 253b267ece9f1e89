import { sql } from 'drizzle-orm'
import { index, primaryKey, text } from 'drizzle-orm/pg-core'
import {
  consoleSchema,
  environmentColumn,
  indexedRecord,
  indexProgress,
  instant,
  money,
  searchTermsColumn,
} from './schema.ts'

/**
 * The index of payouts: the interface filters them only by id, account and xid. A column is null where the service did not
 * provide its value.
 */
export const indexedPayouts = consoleSchema.table(
  'index_payouts',
  {
    environment: environmentColumn(),
    id: text('id').notNull(),
    xid: text('xid'),
    accountId: text('account_id'),
    method: text('method'),
    status: text('status'),
    subStatus: text('sub_status'),
    sourceCurrency: text('source_currency'),
    /** Also null where the column cannot hold the amount exactly; `record` has it. */
    sourceAmount: money('source_amount'),
    destinationCurrency: text('destination_currency'),
    destinationAmount: money('destination_amount'),
    createdAt: instant('created_at'),
    updatedAt: instant('updated_at'),
    /** The text for free-text search: the holder's name, xid and id, in lower case. */
    searchText: text('search_text').notNull(),
    terms: searchTermsColumn(),
    ...indexedRecord(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('index_payouts_terms').using('gin', table.terms),
    index('index_payouts_id').on(table.environment, sql`lower(id)`),
    index('index_payouts_by_created').on(table.environment, table.createdAt, table.id),
    index('index_payouts_by_updated').on(table.environment, table.updatedAt, table.id),
    index('index_payouts_status').on(table.environment, table.status, table.createdAt),
    index('index_payouts_by_source').on(table.environment, table.sourceCurrency, table.sourceAmount, table.id),
    index('index_payouts_by_destination').on(
      table.environment,
      table.destinationCurrency,
      table.destinationAmount,
      table.id,
    ),
  ],
)

/** Each state in which a payout was read. The service reports a state only while it lasts. */
export const payoutStates = consoleSchema.table(
  'payout_states',
  {
    environment: environmentColumn(),
    payoutId: text('payout_id').notNull(),
    /** `updated` of the record: when it came into this state, by the service's clock. */
    at: instant('at').notNull(),
    status: text('status').notNull(),
    /** Empty where it has none. */
    subStatus: text('sub_status').notNull(),
    cancellationReason: text('cancellation_reason'),
    /** `created` of the record: a sandbox after a reset gives its payouts the ids of those before. */
    createdAt: instant('created_at').notNull(),
    seenAt: instant('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.payoutId, table.at, table.status, table.subStatus] }),
    index('payout_states_payout').on(table.environment, sql`lower(payout_id)`),
  ],
)

/** How far the index of payouts is. */
export const payoutProgress = consoleSchema.table('index_payout_progress', indexProgress())
