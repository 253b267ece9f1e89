import { sql } from 'drizzle-orm'
import { index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { HelpDeskPolicy } from '#lib/api/help-desk-requests.ts'
import type { Role } from '#lib/auth/permissions.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { ApprovalTopic, PolicyRule } from '#lib/operations/approvals/policy-rules.ts'
import type { ApprovalState } from '#lib/operations/types.ts'
import { bytes, consoleSchema, environmentColumn, instant, targetColumns } from './schema.ts'

/** A request that waits for a second person, or that one has decided. Its maker is staff or a help desk's agent; its id is that of its operation or bulk job. */
export const approvals = consoleSchema.table(
  'approvals',
  {
    id: uuid('id').primaryKey(),
    environment: environmentColumn(),
    subject: text('subject').notNull().$type<'operation' | 'bulk-job'>(),
    kind: text('kind').notNull(),
    topic: text('topic').notNull().$type<ApprovalTopic>(),
    makerId: uuid('maker_id').notNull(),
    makerName: text('maker_name').notNull(),
    /** Null for the agent of a help desk, whose key's id is that of the maker. */
    makerRole: text('maker_role').$type<Role>(),
    /** As it was at submission, in lower case: another account with the same address is the same person. */
    makerEmail: text('maker_email').notNull(),
    ...targetColumns(),
    reason: text('reason'),
    comment: text('comment'),
    /** The change, as a sentence. */
    effect: text('effect').notNull(),
    /** Decimal text; null where the request has no amount, or it is not known. */
    amount: text('amount'),
    currency: text('currency'),
    /** The rules of the policy that apply, as sentences. */
    because: jsonb('because').notNull().$type<string[]>(),
    endpoint: text('endpoint').$type<EndpointName>(),
    method: text('method'),
    path: text('path'),
    /** The digest of what is approved: SHA-256, or a keyed one where the request holds a secret. */
    fingerprint: text('fingerprint').notNull(),
    /** The terms of a request whose quote may expire meanwhile, sealed. */
    sealedTerms: bytes('sealed_terms'),
    state: text('state').notNull().$type<ApprovalState>(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    decidedAt: instant('decided_at'),
    decidedById: uuid('decided_by_id'),
    decidedByName: text('decided_by_name'),
    decidedByRole: text('decided_by_role').$type<Role>(),
    decisionReason: text('decision_reason'),
    /** Attempts at sending the notice that it waits; null where no notice is due. */
    noticeAttempts: integer('notice_attempts').notNull().default(0),
    noticeDueAt: instant('notice_due_at'),
  },
  (table) => [
    index('approvals_by_created').on(table.environment, table.createdAt, table.id),
    index('approvals_target').on(table.environment, table.targetId, table.createdAt),
    index('approvals_waiting')
      .on(table.expiresAt)
      .where(sql`state = 'waiting'`),
    index('approvals_notices')
      .on(table.noticeDueAt)
      .where(sql`notice_due_at is not null`),
  ],
)

/** Every version of an environment's policy: proposed by one admin, confirmed by another. */
export const policies = consoleSchema.table(
  'policies',
  {
    id: uuid('id').primaryKey(),
    environment: environmentColumn(),
    state: text('state').notNull().$type<'proposed' | 'active' | 'replaced' | 'rejected' | 'withdrawn'>(),
    rules: jsonb('rules').notNull().$type<PolicyRule[]>(),
    /** Requests that agents of help desks can make from an embedded view. */
    helpDesk: jsonb('help_desk').notNull().default({}).$type<HelpDeskPolicy>(),
    expiryHours: integer('expiry_hours').notNull(),
    /** By how much a payout may cost more than submitted once its quote has expired: decimal text, in percent. */
    tolerancePercent: text('tolerance_percent').notNull(),
    comment: text('comment').notNull(),
    proposedById: uuid('proposed_by_id').notNull(),
    proposedByName: text('proposed_by_name').notNull(),
    proposedByEmail: text('proposed_by_email').notNull(),
    proposedAt: instant('proposed_at').notNull(),
    decidedById: uuid('decided_by_id'),
    decidedByName: text('decided_by_name'),
    decidedAt: instant('decided_at'),
  },
  (table) => [
    uniqueIndex('policies_active')
      .on(table.environment)
      .where(sql`state = 'active'`),
    uniqueIndex('policies_proposed')
      .on(table.environment)
      .where(sql`state = 'proposed'`),
    index('policies_history').on(table.environment, table.proposedAt),
  ],
)
