import { and, gt, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { bigint, index, integer, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Role } from '#lib/auth/permissions.ts'
import { bytes, consoleSchema, instant } from './schema.ts'

/**
 * People who may sign in. A `demo` member counts only in demo mode, an `oidc` one where people sign in through a
 * provider.
 */
export const staff = consoleSchema.table(
  'staff',
  {
    id: uuid('id').primaryKey(),
    origin: text('origin').notNull().$type<'demo' | 'oidc'>(),
    /** Issuer and subject of the OpenID provider: they identify a person even when the e-mail address changes. */
    oidcSubject: text('oidc_subject'),
    name: text('name').notNull(),
    email: text('email').notNull(),
    role: text('role').notNull().$type<Role>(),
    /** `assigned` by an invitation or an admin; `claims`: derived from the provider's claims at each sign-in. */
    roleSource: text('role_source').notNull().default('claims').$type<'assigned' | 'claims'>(),
    createdAt: instant('created_at').notNull(),
    disabledAt: instant('disabled_at'),
  },
  (table) => [
    uniqueIndex('staff_oidc_subject')
      .on(table.oidcSubject)
      .where(sql`oidc_subject is not null`),
    // An invitation waits without a subject until its address signs in.
    uniqueIndex('staff_invitation')
      .on(sql`lower(email)`)
      .where(sql`origin = 'oidc' and oidc_subject is null`),
  ],
)

/** A sign-in. The cookie holds only the id, sealed; everything else is read from here at each request. */
export const sessions = consoleSchema.table(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staff.id),
    createdAt: instant('created_at').notNull(),
    /** When the person authenticated at the provider (`auth_time`), which single sign-on may have done long before. */
    authenticatedAt: instant('authenticated_at'),
    expiresAt: instant('expires_at').notNull(),
    /** The person's last activity, to within half a minute; requests that a page sends on its own do not count. */
    lastActiveAt: instant('last_active_at').notNull().defaultNow(),
    revokedAt: instant('revoked_at'),
    /** Where it was opened, for the person's own list of sessions. */
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** The provider's session (`sid`): its sign-out ends this one. */
    oidcSessionId: text('oidc_session_id'),
    /** The ID token, sealed, which the provider expects as a hint at sign-out. */
    sealedIdToken: bytes('sealed_id_token'),
  },
  (table) => [
    index('sessions_staff').on(table.staffId),
    index('sessions_expiry').on(table.expiresAt),
    index('sessions_oidc')
      .on(table.oidcSessionId)
      .where(sql`oidc_session_id is not null`),
  ],
)

/** Sessions that count at an instant: neither ended nor expired, and the person was active since another one. */
export function isOpenSession(now: Date | SQLWrapper, activeSince: Date | SQLWrapper): SQL | undefined {
  return and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now), gt(sessions.lastActiveAt, activeSince))
}

/** Logout tokens of the provider that were accepted: each counts once. */
export const logoutTokens = consoleSchema.table('logout_tokens', {
  /** Issuer and `jti`. */
  id: text('id').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
})

/** Attempts to sign in, counted per address and minute. */
export const signInAttempts = consoleSchema.table(
  'sign_in_attempts',
  {
    address: text('address').notNull(),
    minute: bigint('minute', { mode: 'number' }).notNull(),
    attempts: integer('attempts').notNull(),
    failures: integer('failures').notNull(),
  },
  (table) => [primaryKey({ columns: [table.address, table.minute] })],
)
