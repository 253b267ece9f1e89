import { sql } from 'drizzle-orm'
import { bigserial, boolean, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { consoleSchema, environmentColumn, instant } from './schema.ts'

/** Requests of the console to the service, one row for each call with all its attempts. Bodies are redacted before they are stored. */
export const serviceRequests = consoleSchema.table(
  'service_requests',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    environment: environmentColumn(),
    at: instant('at').notNull(),
    endpoint: text('endpoint').notNull(),
    method: text('method').notNull(),
    path: text('path').notNull(),
    /** Null where no response came. */
    status: integer('status'),
    code: text('code'),
    durationMs: integer('duration_ms').notNull(),
    attempts: integer('attempts').notNull(),
    requestId: text('request_id'),
    /** Background work made it: polls and readings of the index. */
    isBackground: boolean('is_background').notNull().default(false),
    operationId: uuid('operation_id'),
    /** The `x-request-id` of the console's response that it was made for. */
    consoleRequestId: text('console_request_id'),
    requestBody: text('request_body'),
    /** Why the body is not stored. */
    requestNote: text('request_note'),
    responseBody: text('response_body'),
    responseNote: text('response_note'),
  },
  (table) => [
    index('service_requests_environment').on(table.environment, table.id),
    index('service_requests_request').on(table.requestId),
    index('service_requests_console_request').on(table.consoleRequestId),
    index('service_requests_operation').on(table.operationId),
    index('service_requests_failed')
      .on(table.environment, table.id)
      .where(sql`status is null or status >= 400`),
  ],
)
