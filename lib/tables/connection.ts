import { integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import type { CheckReport } from '#lib/console/connection/types.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { EndpointProblemKind, ServiceProblem } from '#lib/environments/types.ts'
import { consoleSchema, environmentColumn, instant } from './schema.ts'

/** Where responses differ from the contract, one row for each difference. Values of responses are never stored. */
export const deviations = consoleSchema.table(
  'deviations',
  {
    environment: environmentColumn(),
    endpoint: text('endpoint').notNull().$type<EndpointName>(),
    kind: text('kind').notNull().$type<'difference' | 'unknown-field'>(),
    /** JSON path in the response as sent; empty for the response itself. */
    path: text('path').notNull(),
    expected: text('expected').notNull(),
    found: text('found').notNull(),
    /** Responses with this difference. */
    count: integer('count').notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
    lastRequestId: text('last_request_id'),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.endpoint, table.kind, table.path, table.expected, table.found] }),
  ],
)

/** Endpoints whose last response could not be used. A row is deleted when the endpoint works again. */
export const endpointProblems = consoleSchema.table(
  'endpoint_problems',
  {
    environment: environmentColumn(),
    endpoint: text('endpoint').notNull().$type<EndpointName>(),
    kind: text('kind').notNull().$type<EndpointProblemKind>(),
    since: instant('since').notNull(),
    lastAt: instant('last_at').notNull(),
    status: integer('status'),
    code: text('code'),
    requestId: text('request_id'),
    diagnosis: text('diagnosis'),
  },
  (table) => [primaryKey({ columns: [table.environment, table.endpoint] })],
)

/** The last connection check of each environment. */
export const connectionChecks = consoleSchema.table('connection_checks', {
  environment: environmentColumn().primaryKey(),
  checkedAt: instant('checked_at').notNull(),
  checkedBy: text('checked_by').notNull(),
  report: jsonb('report').notNull().$type<CheckReport>(),
})

/** How the service of an environment responds, as all processes found. */
export const environmentHealth = consoleSchema.table('environment_health', {
  environment: environmentColumn().primaryKey(),
  lastResponseAt: instant('last_response_at'),
  unreachableSince: instant('unreachable_since'),
  /** The last response that was neither rejected nor unreadable. */
  lastAcceptedAt: instant('last_accepted_at'),
  /** Requests in a row, up to now, that were rejected (401, 403) or unreadable (HTML, redirect); null where the last one was neither. */
  failing: text('failing').$type<'rejected' | 'unreadable'>(),
  failingRequests: integer('failing_requests').notNull().default(0),
  failingSince: instant('failing_since'),
  slowSince: instant('slow_since'),
  lastProblem: jsonb('last_problem').$type<ServiceProblem>(),
})
