import { sql } from 'drizzle-orm'
import { bigint, bigserial, boolean, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { BodyNote } from '#lib/contract/redact.ts'
import type { ResponseMutation } from '../faults/response-mutations.ts'
import type { Modes } from '../modes.ts'
import { bytes, instant, service } from './schema.ts'

/** Callers of the service: the Access Key and the RSA public key that verifies its tokens. */
export const accessKeys = service.table('access_keys', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  publicKeyPem: text('public_key_pem').notNull(),
})

/** The sandbox clock: how far it is ahead of the real one, or the instant at which it stands. One row. */
export const clock = service.table('clock', {
  id: integer('id').primaryKey().default(1),
  offsetMs: bigint('offset_ms', { mode: 'number' }).notNull().default(0),
  frozenMs: bigint('frozen_ms', { mode: 'number' }),
})

/** Responses by idempotency key, stored for 24 h of sandbox time. A row is written in the transaction that has the effect. */
export const idempotency = service.table(
  'idempotency',
  {
    accessKey: uuid('access_key').notNull(),
    key: text('key').notNull(),
    path: text('path').notNull(),
    bodySha256: text('body_sha256').notNull(),
    status: integer('status').notNull(),
    answer: text('answer').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accessKey, table.key] }), index('idempotency_age').on(table.createdAt)],
)

/** Request tokens whose POST took effect, by the id of the token, until it dies by real time; with the idempotency key of that POST. */
export const usedTokens = service.table('used_tokens', {
  id: text('id').primaryKey(),
  idempotencyKey: text('idempotency_key'),
  deadAt: instant('dead_at').notNull(),
  usedAt: instant('used_at')
    .notNull()
    .default(sql`clock_timestamp()`),
})

/** Requests counted per key, endpoint and minute of real time. An unlogged table: a crash may forget the counts. */
export const rateCounts = service.table(
  'rate_counts',
  {
    accessKey: uuid('access_key').notNull(),
    endpoint: text('endpoint').notNull(),
    minute: bigint('minute', { mode: 'number' }).notNull(),
    requests: integer('requests').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accessKey, table.endpoint, table.minute] })],
)

/** Faults that the control plane armed, used up in the order of their arming. Either `status` or `shape` is set. */
export const faults = service.table('faults', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  path: text('path').notNull(),
  /** Null: every method. */
  method: text('method').$type<'GET' | 'POST'>(),
  status: integer('status'),
  code: text('code'),
  message: text('message'),
  shape: jsonb('shape').$type<ResponseMutation>(),
  /** Null: until the fault is removed. */
  remaining: integer('remaining'),
  after: boolean('after').notNull(),
  delayMs: integer('delay_ms').notNull(),
  /** Whether requests of background work use the fault up, too. */
  background: boolean('background').notNull().default(false),
})

/** How the service differs from its usual behaviour until it is changed back. One row, or none. */
export const modes = service.table('modes', {
  id: integer('id').primaryKey().default(1),
  changes: jsonb('changes').notNull().$type<Partial<Modes>>(),
})

/**
 * The newest requests of each caller, for people who test. An unlogged table: a crash may forget them. Bodies are redacted
 * before they are written; one that is not stored is null, and its note says why.
 */
export const requestLog = service.table(
  'request_log',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** Real time, as in the other logs; the sandbox clock may be ahead. */
    at: instant('at').notNull(),
    accessKey: uuid('access_key').notNull(),
    requestId: uuid('request_id').notNull(),
    method: text('method').notNull(),
    /** Below the base address, with the query. */
    path: text('path').notNull(),
    endpoint: text('endpoint'),
    /** Null where a fault dropped the connection. */
    status: integer('status'),
    code: text('code'),
    durationMs: integer('duration_ms').notNull(),
    idempotencyKey: text('idempotency_key'),
    requestBody: text('request_body'),
    requestNote: text('request_note').$type<BodyNote>(),
    responseBody: text('response_body'),
    responseNote: text('response_note').$type<BodyNote>(),
  },
  (table) => [
    index('request_log_of_key').on(table.accessKey, table.id),
    index('request_log_request').on(table.requestId),
  ],
)

/** Links to sensitive card data: opened once, within 60 s, from one address. */
export const contentLinks = service.table('content_links', {
  id: text('id').primaryKey(),
  cardId: uuid('card_id').notNull(),
  ipAddress: text('ip_address').notNull(),
  expiresAt: instant('expires_at').notNull(),
  openedAt: instant('opened_at'),
})

/** Everything that waits: performed in order of `dueAt`, by whichever process takes the row first. */
export const dueWork = service.table(
  'due_work',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    kind: text('kind').notNull(),
    subject: text('subject').notNull(),
    dueAt: instant('due_at').notNull(),
    /** Always `{}`. Without the column, a snapshot that was taken with it could not be restored. */
    payload: jsonb('payload').notNull().$type<Readonly<Record<string, unknown>>>(),
    /** Attempts that failed, and the real time before which there is no other. */
    failures: integer('failures').notNull().default(0),
    retryAt: instant('retry_at'),
  },
  (table) => [
    index('due_work_next').on(table.dueAt, table.id),
    index('due_work_of_subject').on(table.subject, table.dueAt, table.id),
  ],
)

/** Due work that was performed, in the order in which it was; only the newest rows. */
export const performedWork = service.table('performed_work', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  kind: text('kind').notNull(),
  subject: text('subject').notNull(),
  dueAt: instant('due_at').notNull(),
})

/** Keys that the service makes for itself when it first needs them (page tokens, webhook signatures), sealed with the key of the settings. */
export const serviceKeys = service.table('service_keys', {
  name: text('name').primaryKey(),
  value: bytes('value').notNull(),
  /** False in rows that were written before keys were sealed, until the next start. */
  isSealed: boolean('is_sealed').notNull().default(false),
})

/** Every xid in use, of every type of resource: its primary key is what makes an xid unique across all of them. */
export const externalIds = service.table('external_ids', {
  xid: text('xid').primaryKey(),
  targetType: text('target_type').notNull(),
  targetId: uuid('target_id').notNull(),
})
