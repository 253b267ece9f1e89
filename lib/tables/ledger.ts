import { sql } from 'drizzle-orm'
import { index, numeric, primaryKey, text } from 'drizzle-orm/pg-core'
import { consoleSchema, environmentColumn, indexedRecord, indexProgress, instant, money } from './schema.ts'

/**
 * The index of the funding accounts' ledger: the interface has no totals of its entries, no free text and no other order. A column is null
 * where the service did not provide its value.
 */
export const indexedLedger = consoleSchema.table(
  'index_ledger',
  {
    environment: environmentColumn(),
    /** The service's own id; of an entry without one, the key that `index-ledger.ts` derives. */
    id: text('id').notNull(),
    /** Null where the service does not say which funding account it is of. */
    accountId: text('account_id'),
    intent: text('intent'),
    status: text('status'),
    currency: text('currency'),
    /** Signed: positive = credit, negative = debit. */
    amount: money('amount'),
    /** When it moved the balance, else when it was recorded. */
    time: instant('time'),
    /**
     * The service's order, newest first: the milliseconds of `time`, less a small fraction for each entry of the same time that the
     * service lists before it.
     */
    position: numeric('position', { precision: 24, scale: 8 }),
    /** The text for free-text search: description, parties, ids and references, in lower case. */
    searchText: text('search_text').notNull(),
    ...indexedRecord(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('index_ledger_id').on(table.environment, sql`lower(id)`),
    index('index_ledger_by_position').on(table.environment, table.position, table.id),
    index('index_ledger_by_amount').on(table.environment, table.currency, table.amount, table.id),
    index('index_ledger_account').on(table.environment, sql`lower(account_id)`, table.position, table.id),
    index('index_ledger_intent').on(table.environment, table.intent, table.position, table.id),
    index('index_ledger_status').on(table.environment, table.status, table.position, table.id),
    // Totals read this one alone.
    index('index_ledger_totals').on(
      table.environment,
      table.currency,
      table.status,
      table.intent,
      table.amount,
      table.time,
    ),
  ],
)

/** How far the index of the ledger is. */
export const ledgerProgress = consoleSchema.table('index_ledger_progress', indexProgress())
