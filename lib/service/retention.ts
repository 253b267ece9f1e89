import { sql } from 'drizzle-orm'
import { formatAge, oldestPartition, type Partitions, type RetentionRule } from '#lib/db/retention.ts'
import { dayMs } from '#lib/shared/time.ts'
import { nowMs } from './clock.ts'
import { storedForMs } from './steps/replay.ts'
import { contentLinks, idempotency, performedWork, rateCounts, requestLog, usedTokens } from './tables/runtime.ts'
import { events, webhookMessages, webhooks } from './tables/webhooks.ts'

/** An instant of the sandbox clock, so long ago. */
const ago = (ageMs: number) => sql`to_timestamp((${nowMs} - ${ageMs}) / 1000.0)`
const realTime = sql`clock_timestamp()`

const recordedEvents: Partitions = { span: 30, days: 90, at: () => ago(0) }

/** The rows that the built-in service deletes, by the sandbox clock unless a rule has another. */
export const retentionRules: readonly RetentionRule[] = [
  {
    table: idempotency,
    what: 'stored responses by idempotency key',
    after: '24 hours',
    expired: () => sql`${idempotency.createdAt} <= ${ago(storedForMs)}`,
  },
  {
    table: events,
    what: 'events of the sandbox',
    after: formatAge(recordedEvents),
    expired: (now) => sql`${events.time} < ${oldestPartition(recordedEvents, now)}`,
    partitions: recordedEvents,
  },
  {
    table: webhookMessages,
    what: 'queued messages of removed webhooks',
    after: 'the removal',
    // Recorded while their webhook was being removed.
    expired: () =>
      sql`${webhookMessages.webhookId} in (select ${webhooks.id} from ${webhooks} where ${webhooks.status} = 'removed')`,
  },
  {
    table: contentLinks,
    what: 'links to card details',
    after: '1 day',
    expired: () => sql`${contentLinks.expiresAt} < ${ago(dayMs)}`,
  },
  {
    table: requestLog,
    what: 'requests to the sandbox',
    after: '7 days, or about 5,000',
    expired: () => sql`${requestLog.at} < ${realTime} - interval '7 days'`,
  },
  {
    table: performedWork,
    what: 'performed work',
    after: 'the newest 1,000',
    expired: () => sql`${performedWork.id} <= (select max(id) from ${performedWork}) - 1000`,
  },
  {
    table: usedTokens,
    what: 'used request tokens',
    after: 'they expire',
    // Some minutes more, since the clocks of the database and of the processes may differ.
    expired: () => sql`${usedTokens.deadAt} < ${realTime} - interval '5 minutes'`,
  },
  {
    table: rateCounts,
    what: 'counts of the rate limit',
    after: '5 minutes',
    expired: () => sql`${rateCounts.minute} < extract(epoch from ${realTime}) / 60 - 5`,
  },
]
