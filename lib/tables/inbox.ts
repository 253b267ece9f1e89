import { sql } from 'drizzle-orm'
import { bigint, bigserial, boolean, index, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { consoleSchema, environmentColumn, instant } from './schema.ts'

/**
 * Deliveries whose signature held: one row an event id, stored before anything else happens. Partitioned by `receivedAt`, so no key of it can hold the id alone: `inboxIds` does.
 */
export const inboxEvents = consoleSchema.table(
  'inbox_events',
  {
    /** The order of arrival. */
    position: bigserial('position', { mode: 'number' }).notNull(),
    environment: environmentColumn(),
    id: text('id').notNull(),
    event: text('event').notNull(),
    /** The exact text of the delivery. */
    body: text('body').notNull(),
    /** False where the delivery is not of the interface's shape, or has an unknown name. */
    isKnown: boolean('is_known').notNull(),
    cardAccountId: text('card_account_id'),
    cardId: text('card_id'),
    payoutId: text('payout_id'),
    /** The card account transaction of the event, where it names one. */
    transactionId: text('transaction_id'),
    /** The event's own time, by the service's clock. */
    time: instant('time'),
    receivedAt: instant('received_at').notNull(),
    duplicates: integer('duplicates').notNull().default(0),
    /** Null until the record of the event was read back from the service. It is set once. */
    appliedAt: instant('applied_at'),
    attempts: integer('attempts').notNull().default(0),
    /** Why it could not be applied at the last attempt. */
    problem: text('problem'),
    leaseHolder: uuid('lease_holder'),
    nextAttemptAt: instant('next_attempt_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.position, table.receivedAt] }),
    index('inbox_events_id').on(table.environment, table.id),
    index('inbox_events_newest').on(table.environment, table.position),
    index('inbox_events_name').on(table.environment, table.event, table.position),
    index('inbox_events_account').on(table.environment, sql`lower(card_account_id)`, table.position),
    index('inbox_events_payout')
      .on(table.environment, sql`lower(payout_id)`, table.position)
      .where(sql`payout_id is not null`),
    index('inbox_events_transaction')
      .on(table.environment, sql`lower(transaction_id)`, table.position)
      .where(sql`transaction_id is not null`),
    index('inbox_events_received').on(table.environment, table.receivedAt),
    index('inbox_events_open')
      .on(table.nextAttemptAt)
      .where(sql`applied_at is null`),
  ],
)

/** The id of each event in the inbox, so that it is stored once. A row stays as long as its event. */
export const inboxIds = consoleSchema.table(
  'inbox_ids',
  {
    environment: environmentColumn(),
    id: text('id').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.environment, table.id] }), index('inbox_ids_received').on(table.receivedAt)],
)

/** Deliveries beside new events, counted a day (UTC): nothing else of a refused delivery is stored. */
export const inboxCounts = consoleSchema.table(
  'inbox_counts',
  {
    environment: environmentColumn(),
    day: text('day').notNull(),
    kind: text('kind').notNull().$type<'signature' | 'malformed' | 'duplicate'>(),
    count: bigint('count', { mode: 'number' }).notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.environment, table.day, table.kind] })],
)
