import { bigserial, boolean, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
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
})

/** Domain events, written in the transaction of their cause; `position` is their order. */
export const events = service.table(
  'events',
  {
    position: bigserial('position', { mode: 'number' }).primaryKey(),
    id: uuid('id').notNull().unique(),
    event: text('event').notNull(),
    data: jsonb('data').notNull().$type<Record<string, unknown>>(),
    time: instant('time').notNull(),
  },
  (table) => [index('events_time').on(table.time)],
)

/** One queue a webhook, in the order of events; a message that fails holds back the rest. */
export const webhookMessages = service.table(
  'webhook_messages',
  {
    position: bigserial('position', { mode: 'number' }).primaryKey(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id),
    eventId: uuid('event_id').notNull(),
    attempts: integer('attempts').notNull().default(0),
    delivered: boolean('delivered').notNull().default(false),
  },
  (table) => [index('webhook_messages_queue').on(table.webhookId, table.delivered, table.position)],
)
