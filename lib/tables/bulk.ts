import { sql } from 'drizzle-orm'
import { index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { RequestOrigin } from '#lib/audit/types.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { BulkFacts, BulkItemState, BulkKind, BulkState } from '#lib/operations/bulk/types.ts'
import { consoleSchema, environmentColumn, instant, staffColumns, targetColumns } from './schema.ts'

/** Many operations of one kind that staff started together. Who drives it holds a lease. */
export const bulkJobs = consoleSchema.table(
  'bulk_jobs',
  {
    /** Made by the dialog: the same job under double click, reload and retry. */
    id: uuid('id').primaryKey(),
    environment: environmentColumn(),
    kind: text('kind').notNull().$type<BulkKind>(),
    title: text('title').notNull(),
    reason: text('reason'),
    ...staffColumns(),
    /** Origin of the request that started it. */
    caller: jsonb('caller').$type<RequestOrigin>(),
    /** A digest of the whole request: the same id with other content is refused. */
    contentDigest: text('content_digest').notNull(),
    state: text('state').notNull().$type<BulkState>(),
    /** Why it is paused: by whom, by what, or that the service does not respond. */
    pausedBecause: text('paused_because'),
    /** Since when, and how often in a row, a row got no response that settles it. */
    silentSince: instant('silent_since'),
    silentRows: integer('silent_rows').notNull().default(0),
    total: integer('total').notNull(),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
    leaseUntil: instant('lease_until').notNull(),
    leaseHolder: uuid('lease_holder'),
    /** Not before this time: the service's rate limit, or an outcome is not known yet. */
    nextAt: instant('next_at').notNull(),
  },
  (table) => [
    index('bulk_jobs_by_created').on(table.environment, table.createdAt, table.id),
    index('bulk_jobs_unfinished_of_staff')
      .on(table.environment, table.staffId)
      .where(sql`finished_at is null`),
    index('bulk_jobs_open')
      .on(table.nextAt)
      .where(sql`finished_at is null`),
  ],
)

/** One row of a job: an operation of its own, whose id is settled before anything is sent. */
export const bulkItems = consoleSchema.table(
  'bulk_items',
  {
    jobId: uuid('job_id')
      .notNull()
      .references(() => bulkJobs.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    operationId: uuid('operation_id').notNull(),
    ...targetColumns(),
    endpoint: text('endpoint').notNull().$type<EndpointName>(),
    body: jsonb('body').notNull().$type<Record<string, unknown>>(),
    /** Names and amounts as the person confirmed them, as text for the screen and the CSV. */
    facts: jsonb('facts').notNull().$type<BulkFacts>(),
    state: text('state').notNull().$type<BulkItemState>(),
    code: text('code'),
    /** The result as a sentence. */
    message: text('message'),
    requestId: text('request_id'),
    settledAt: instant('settled_at'),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.position] }),
    index('bulk_items_state').on(table.jobId, table.state, table.position),
    index('bulk_items_operation').on(table.operationId),
  ],
)
