import { bigint, bigserial, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { DeliveryProblem } from '../webhooks/transport.ts'
import { instant, service } from './schema.ts'

export const webhooks = service.table('webhooks', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  url: text('url').notNull(),
  status: text('status').notNull().$type<'created' | 'healthy' | 'unhealthy' | 'error' | 'removed'>(),
  events: jsonb('events').notNull().$type<string[]>(),
  createdAt: instant('created_at').notNull(),
  lastSuccessfulDeliveryTime: instant('last_successful_delivery_time'),
  lastFailedDeliveryTime: instant('last_failed_delivery_time'),
  /** Failures in a row: of the message that holds the queue back, or of pings in `error`. */
  attempts: integer('attempts').notNull().default(0),
  /** When the next attempt is due by the sandbox clock; null: as soon as there is a message. */
  dueAt: instant('due_at'),
  /** The position of the message that failed, until it is delivered. */
  heldBy: bigint('held_by', { mode: 'number' }),
  /** The id of the next ping in `error`. */
  pingId: uuid('ping_id'),
  /** A delivering process holds a lease, until an instant of real time, so that no two deliver at the same time. */
  leaseId: uuid('lease_id'),
  leasedUntil: instant('leased_until'),
})

/** Domain events, written in the transaction of their cause; `position` is their order. Partitioned by `time`. */
export const events = service.table(
  'events',
  {
    position: bigserial('position', { mode: 'number' }).notNull(),
    id: uuid('id').notNull(),
    event: text('event').notNull(),
    data: jsonb('data').notNull().$type<Record<string, unknown>>(),
    time: instant('time').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.position, table.time] }),
    index('events_id').on(table.id),
    index('events_time').on(table.time),
  ],
)

/** Attempts at deliveries as they were made, for people who look for what went wrong. */
export const webhookAttempts = service.table(
  'webhook_attempts',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    webhookId: uuid('webhook_id').notNull(),
    eventId: uuid('event_id').notNull(),
    event: text('event').notNull(),
    /** `ping` is one of the schedule while the webhook is suspended; `test` and `replay` are sent beside the queue. */
    kind: text('kind').notNull().$type<'delivery' | 'ping' | 'test' | 'replay'>(),
    /** From 1, for each message and for the pings of a suspension. */
    attempt: integer('attempt').notNull(),
    /** By the sandbox clock. */
    at: instant('at').notNull(),
    /** Null where the endpoint did not respond. */
    status: integer('status'),
    /** Null where the endpoint took it. */
    problem: text('problem').$type<DeliveryProblem>(),
    durationMs: integer('duration_ms').notNull(),
    /** The beginning of what the endpoint responded; null where it responded nothing. */
    response: text('response'),
    /** When the next attempt was due; null where none was. */
    nextAt: instant('next_at'),
  },
  (table) => [index('webhook_attempts_newest').on(table.webhookId, table.id)],
)

/**
 * One queue a webhook, in the order of events; a message that fails holds back the rest, one that is delivered is gone.
 * `body` is what every attempt sends. No foreign key: each event would lock the rows of its webhooks until its commit.
 */
export const webhookMessages = service.table(
  'webhook_messages',
  {
    position: bigserial('position', { mode: 'number' }).primaryKey(),
    webhookId: uuid('webhook_id').notNull(),
    eventId: uuid('event_id').notNull(),
    body: text('body').notNull(),
  },
  (table) => [index('webhook_messages_queue').on(table.webhookId, table.position)],
)
