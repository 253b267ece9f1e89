import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { consoleSchema, environmentColumn, instant, money } from './schema.ts'

/** The mirror of payouts, each as it came: the interface filters them by id, account and xid alone. */
export const directoryPayouts = consoleSchema.table(
  'directory_payouts',
  {
    environment: environmentColumn(),
    id: uuid('id').notNull(),
    xid: text('xid'),
    accountId: text('account_id').notNull(),
    method: text('method').notNull(),
    status: text('status').notNull(),
    subStatus: text('sub_status'),
    sourceCurrency: text('source_currency').notNull(),
    /** Null where the service sent no amount that the column holds exactly; `record` has what it sent. */
    sourceAmount: money('source_amount'),
    destinationCurrency: text('destination_currency').notNull(),
    destinationAmount: money('destination_amount'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** What free text is looked for in: the holder's name, xid and id, in lower case. */
    searchText: text('search_text').notNull(),
    record: jsonb('record').notNull().$type<Record<string, unknown>>(),
    /** When the request left whose answer this is: an answer that was asked for earlier never replaces a later one. */
    readAt: instant('read_at').notNull(),
    /** The whole reading that saw it last. */
    reading: bigint('reading', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('directory_payouts_by_created').on(table.environment, table.createdAt, table.id),
    index('directory_payouts_by_updated').on(table.environment, table.updatedAt, table.id),
    index('directory_payouts_status').on(table.environment, table.status, table.createdAt),
    index('directory_payouts_by_source').on(
      table.environment,
      table.sourceCurrency,
      sql`coalesce(source_amount, 0)`,
      table.id,
    ),
    index('directory_payouts_by_destination').on(
      table.environment,
      table.destinationCurrency,
      sql`coalesce(destination_amount, 0)`,
      table.id,
    ),
  ],
)

/** Each state in which a payout was seen: its life, which the service tells only while it happens. */
export const payoutStates = consoleSchema.table(
  'payout_states',
  {
    environment: environmentColumn(),
    payoutId: uuid('payout_id').notNull(),
    /** `updated` of the record: when it came into this state, by the service's clock. */
    at: instant('at').notNull(),
    status: text('status').notNull(),
    /** Empty where it has none. */
    subStatus: text('sub_status').notNull(),
    cancellationReason: text('cancellation_reason'),
    /** `created` of the record: a sandbox that begins anew gives its payouts the ids of those before. */
    createdAt: instant('created_at').notNull(),
    seenAt: instant('seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.environment, table.payoutId, table.at, table.status, table.subStatus] })],
)

/** How far the mirror of payouts is. */
export const payoutReadings = consoleSchema.table('payout_readings', {
  environment: environmentColumn().primaryKey(),
  /** Number of the whole reading that is under way or was the last. */
  reading: bigint('reading', { mode: 'number' }).notNull().default(0),
  readingSince: instant('reading_since'),
  /** When the last whole reading that came to its end began: nothing in the mirror is older. */
  asOf: instant('as_of'),
  payouts: integer('payouts').notNull().default(0),
})
