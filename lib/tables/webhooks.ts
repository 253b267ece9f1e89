import { bigserial, index, integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import type { ServiceClock } from '#lib/environments/types.ts'
import { consoleSchema, environmentColumn, instant } from './schema.ts'

/** The last poll of the webhooks of an environment, and the offset of the service's clock at that time. */
export const webhookPolls = consoleSchema.table('webhook_polls', {
  environment: environmentColumn().primaryKey(),
  polledAt: instant('polled_at').notNull(),
  /** The service's clock at `polledAt`. */
  serviceAt: instant('service_at').notNull(),
  /** `clock`: read from the sandbox. `responses`: the date of its responses. `times`: the newest time in its data. */
  clockSource: text('clock_source').notNull().$type<ServiceClock['source']>(),
  /** `settings`: the service cannot list webhooks, and their ids are set. */
  listedBy: text('listed_by').notNull().$type<'service' | 'settings'>(),
})

/** Each webhook that was ever listed, as it was last read. Times but `polledAt` are the service's. */
export const watchedWebhooks = consoleSchema.table(
  'watched_webhooks',
  {
    environment: environmentColumn(),
    id: text('id').notNull(),
    name: text('name'),
    url: text('url'),
    events: jsonb('events').$type<string[]>(),
    /** The webhook's own status word; null where the service cannot list webhooks. */
    status: text('status'),
    /** The fields of the webhook, and as `statistics.…` of its statistics, that the interface does not name. */
    otherFields: jsonb('other_fields').$type<Record<string, unknown>>(),
    /** The last good reading of the statistics, taken at `statsAt`; null where there was none, or a value is not provided. */
    statsStatus: text('stats_status'),
    queuedMessages: integer('queued_messages'),
    lastSuccessAt: instant('last_success_at'),
    lastFailureAt: instant('last_failure_at'),
    firstSeenAt: instant('first_seen_at').notNull(),
    seenAt: instant('seen_at').notNull(),
    statsAt: instant('stats_at'),
    /** Why the statistics could not be read at the last check, and since when; null where they could. */
    statsProblem: text('stats_problem'),
    unreadableSince: instant('unreadable_since'),
    /** When the alert of its deletion was acknowledged. */
    acknowledgedAt: instant('acknowledged_at'),
  },
  (table) => [primaryKey({ columns: [table.environment, table.id] })],
)

/** Each poll that found another status than the one before. Times are the service's. */
export const webhookTransitions = consoleSchema.table(
  'webhook_transitions',
  {
    number: bigserial('number', { mode: 'number' }).primaryKey(),
    environment: environmentColumn(),
    webhookId: text('webhook_id').notNull(),
    /** Null at the first poll. */
    statusBefore: text('status_before'),
    statusAfter: text('status_after').notNull(),
    seenAt: instant('seen_at').notNull(),
    /** The poll before, at which it still had its old status. */
    notBefore: instant('not_before'),
    /** The service's last failed delivery at that poll, and its queue. */
    lastFailureAt: instant('last_failure_at'),
    queuedMessages: integer('queued_messages'),
  },
  (table) => [index('webhook_transitions_webhook').on(table.environment, table.webhookId, table.number)],
)

/** The queue's depth at each poll, stored for a day. */
export const webhookSamples = consoleSchema.table(
  'webhook_samples',
  {
    number: bigserial('number', { mode: 'number' }).primaryKey(),
    environment: environmentColumn(),
    webhookId: text('webhook_id').notNull(),
    takenAt: instant('taken_at').notNull(),
    serviceAt: instant('service_at').notNull(),
    statsStatus: text('stats_status').notNull(),
    queuedMessages: integer('queued_messages').notNull(),
  },
  (table) => [
    index('webhook_samples_webhook').on(table.environment, table.webhookId, table.serviceAt),
    index('webhook_samples_taken').on(table.takenAt),
  ],
)

/** Notices that were sent, once for each level of each episode of ill health. */
export const webhookNotices = consoleSchema.table(
  'webhook_notices',
  {
    environment: environmentColumn(),
    webhookId: text('webhook_id').notNull(),
    /** Number of the transition that ended the webhook's health. */
    episode: integer('episode').notNull(),
    level: text('level').notNull(),
    text: text('text').notNull(),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
  },
  (table) => [primaryKey({ columns: [table.environment, table.webhookId, table.episode, table.level] })],
)
