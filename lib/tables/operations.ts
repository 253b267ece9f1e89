import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { RequestOrigin } from '#lib/audit/types.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { actorColumns, bytes, consoleSchema, environmentColumn, instant, targetColumns } from './schema.ts'

/** The finding of one reading, or of several in a row with the same finding. Times are ISO 8601. */
export type OperationCheck = { finding: string; from: string; to: string; times: number }

export type OperationState =
  | 'queued'
  | 'waiting'
  | 'approved'
  | 'declined'
  | 'expired'
  | 'withdrawn'
  | 'sending'
  | 'done'
  | 'partial'
  | 'refused'
  | 'unknown'
  | 'not-sent'

/** The journal: one row for each change that staff or a help desk's agent requested from the service, written before the request is sent. */
export const operations = consoleSchema.table(
  'operations',
  {
    /** Made by the dialog; also the idempotency key at the service. */
    id: uuid('id').primaryKey(),
    environment: environmentColumn(),
    kind: text('kind').notNull(),
    ...actorColumns(),
    ...targetColumns(),
    reason: text('reason'),
    comment: text('comment'),
    /** Origin of the request that started it; stored because later rounds have no request. */
    caller: jsonb('caller').$type<RequestOrigin>(),
    endpoint: text('endpoint').notNull().$type<EndpointName>(),
    /** The exact bytes of the body, sealed. Those that hold a secret are erased when the outcome is final. */
    sealedBody: bytes('sealed_body'),
    /** SHA-256 of the body. Null where it holds a secret of a few digits, which a digest would give away. */
    bodySha256: text('body_sha256'),
    /** A keyed digest of environment, kind, target, reason and body: the same id with other content is refused. */
    contentDigest: text('content_digest').notNull(),
    holdsSecret: boolean('holds_secret').notNull(),
    /** The step before this one, where several operations are one: `state` is `queued` until it has its turn. */
    follows: uuid('follows'),
    /**
     * `queued` behind the step before it; `waiting` for an approval, then `approved` until it is sent, or else `declined`, `expired` or `withdrawn`: these were
     * never sent.
     */
    state: text('state').notNull().$type<OperationState>(),
    /** The policy requires an approval: only the request that `sealedGrant` names is sent. */
    needsApproval: boolean('needs_approval').notNull().default(false),
    /** The grant of the approval, sealed: the digest that the signer compares with. Null until then. */
    sealedGrant: bytes('sealed_grant'),
    approvedAt: instant('approved_at'),
    attempts: integer('attempts').notNull().default(0),
    status: integer('status'),
    code: text('code'),
    message: text('message'),
    requestId: text('request_id'),
    /** The id of the record that the service returned, such as the payout that was made. */
    resultId: text('result_id'),
    /** When it was found that the service no longer has the record: its sandbox was reset, and the same ids are other records now. */
    supersededAt: instant('superseded_at'),
    /** Identifies the record that the operation creates, for looking it up after a lost response. No personal data. */
    expected: jsonb('expected').$type<Record<string, string>>(),
    /** The result of each sending and each reading of the record, the oldest first. */
    checks: jsonb('checks').notNull().default([]).$type<OperationCheck[]>(),
    /** From when the service accepts requests again, where it refused this one for their number. */
    retryAt: instant('retry_at'),
    /** The target's status before and after, where the console read it. */
    statusBefore: text('status_before'),
    statusAfter: text('status_after'),
    createdAt: instant('created_at').notNull(),
    /** The service's clock before the first sending: not later than the idempotency key's record there. Null where it was not known. */
    serviceCreatedAt: instant('service_created_at'),
    /** Until when the sending process holds the operation exclusively; it renews this while it runs. */
    leaseUntil: instant('lease_until').notNull(),
    leaseHolder: uuid('lease_holder').notNull(),
    nextSettlementAt: instant('next_settlement_at'),
    settledAt: instant('settled_at'),
  },
  (table) => [
    index('operations_target').on(table.environment, table.targetId, table.createdAt),
    index('operations_result')
      .on(table.environment, table.resultId)
      .where(sql`result_id is not null`),
    index('operations_request')
      .on(table.requestId)
      .where(sql`request_id is not null`),
    index('operations_unsettled_of_staff')
      .on(table.environment, table.staffId)
      .where(sql`state = 'unknown'`),
    // A card has one replacement, also for two people at once.
    uniqueIndex('operations_replacement')
      .on(table.environment, sql`lower(target_id)`)
      .where(
        sql`kind = 'card.replace' and state <> 'not-sent' and (settled_at is null or state in ('done', 'partial')) and superseded_at is null`,
      ),
    index('operations_open')
      .on(table.environment, table.nextSettlementAt)
      .where(sql`settled_at is null`),
  ],
)
