import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, text, uuid, type AnyPgColumn } from 'drizzle-orm/pg-core'
import type { AuditDetails, AuditEntry, AuditOutcome, RequestOrigin } from '#lib/audit/types.ts'
import type { Role } from '#lib/auth/permissions.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { consoleSchema, instant } from './schema.ts'

/** The request id of the console's own response, as the details have it. */
export function consoleRequestIdIn(details: AnyPgColumn) {
  return sql`substring(${details} from '"consoleRequestId":"([0-9a-f-]+)"')`
}

/** Something that staff did or tried to do, for the trail. */
export type AuditEvent = Pick<AuditEntry, 'by' | 'environment' | 'act' | 'target' | 'outcome'> &
  Partial<Pick<AuditEntry, 'code' | 'reason' | 'comment' | 'operationId' | 'requestId'>> & {
    /** Where it came from; by default, the request under way. */
    caller?: RequestOrigin | undefined
    /** Facts that no other field has, such as when a link to card details expires. Never a secret. */
    details?: AuditDetails
  }

/** Append-only (a trigger refuses anything else); each row carries the hash of the one before. */
export const auditEntries = consoleSchema.table(
  'audit_entries',
  {
    number: bigint('number', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    staffId: uuid('staff_id'),
    staffName: text('staff_name'),
    staffRole: text('staff_role').$type<Role>(),
    environment: text('environment').$type<Environment>(),
    act: text('act').notNull(),
    targetType: text('target_type'),
    targetId: text('target_id'),
    targetParentId: text('target_parent_id'),
    targetLabel: text('target_label'),
    outcome: text('outcome').notNull().$type<AuditOutcome>(),
    code: text('code'),
    reason: text('reason'),
    comment: text('comment'),
    operationId: uuid('operation_id'),
    requestId: text('request_id'),
    /** JSON of more facts, in the exact text that the hash covers. */
    details: text('details'),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    index('audit_entries_staff').on(table.staffId, table.number),
    index('audit_entries_act').on(table.act, table.number),
    index('audit_entries_target').on(table.targetId, table.number),
    index('audit_entries_operation').on(table.operationId),
    index('audit_entries_outcome').on(table.outcome, table.number),
    index('audit_entries_request').on(table.requestId),
    index('audit_entries_console_request').on(consoleRequestIdIn(table.details)),
    // Whether the same person acted on the same object before.
    index('audit_entries_own').on(table.targetId, table.staffId, table.number),
  ],
)

export type AuditRow = typeof auditEntries.$inferSelect

/** Refused attempts of the running minute that are identical to one in the trail: counted here, then written there as one entry. */
export const auditRepeats = consoleSchema.table(
  'audit_repeats',
  {
    /** SHA-256 over person, action, object and code. */
    key: text('key').primaryKey(),
    startedAt: instant('started_at').notNull(),
    count: integer('count').notNull(),
    event: jsonb('event').notNull().$type<AuditEvent>(),
  },
  (table) => [index('audit_repeats_started').on(table.startedAt)],
)

/** Up to which entry each sink has the audit log. One process at a time sends to a sink: the holder of its lease. */
export const auditEntrySinks = consoleSchema.table('audit_entry_sinks', {
  sink: text('sink').primaryKey().$type<'https'>(),
  startedAt: instant('started_at').notNull().defaultNow(),
  sentNumber: bigint('sent_number', { mode: 'number' }).notNull().default(0),
  failedAttempts: integer('failed_attempts').notNull().default(0),
  /** When a notice said that entries are late; null while they are not. */
  noticedAt: instant('noticed_at'),
  /** After a failure without a holder: when the next attempt is due. */
  leaseUntil: instant('lease_until').notNull(),
  leaseHolder: uuid('lease_holder'),
})

/**
 * The newest checkpoint of each file, so that a file that lost its end is found. Checkpoints prove the entries; this row only
 * proves the file.
 */
export const auditCheckpointFiles = consoleSchema.table('audit_checkpoint_files', {
  /** Host and path of the file. */
  file: text('file').primaryKey(),
  sequence: integer('sequence').notNull(),
  /** SHA-256 of the checkpoint's line. */
  lineHash: text('line_hash').notNull(),
})
