import { bigint, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, consoleSchema, instant } from './schema.ts'
import { staff } from './staff.ts'

/** The passkeys with which staff confirm what could do harm. */
export const passkeys = consoleSchema.table(
  'passkeys',
  {
    /** The credential's id, base64url, as the authenticator made it. */
    id: text('id').primaryKey(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staff.id),
    name: text('name').notNull(),
    /** COSE. */
    publicKey: bytes('public_key').notNull(),
    /** The authenticator's signature counter; a synced passkey stays at 0. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').notNull().$type<string[]>(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_staff').on(table.staffId)],
)

/** Confirmations that were requested: each for one action of one session, for a minute, once. */
export const stepUps = consoleSchema.table(
  'step_ups',
  {
    id: uuid('id').primaryKey(),
    staffId: uuid('staff_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    /** The confirmed action: the kind of operation, or `passkey.enrol`. */
    kind: text('kind').notNull(),
    /** Random bytes, base64url: with the digest they make the challenge that the passkey signs. */
    nonce: text('nonce').notNull(),
    /** A keyed digest of kind, environment, operation id, input and session. */
    digest: text('digest').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** When a signature for it arrived; a second one is refused. */
    attemptedAt: instant('attempted_at'),
    /** The passkey whose signature was right. */
    confirmedBy: text('confirmed_by'),
    usedAt: instant('used_at'),
  },
  (table) => [index('step_ups_action').on(table.sessionId, table.digest), index('step_ups_expiry').on(table.expiresAt)],
)
