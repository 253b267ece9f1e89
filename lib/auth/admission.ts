import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { appendAudit } from '#lib/audit/chain.ts'
import type { Database, Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Admission, OidcSettings } from '#lib/settings/console-settings.ts'
import { asFields } from '#lib/shared/json.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { sessions, staff } from '#lib/tables/staff.ts'
import type { Role } from './permissions.ts'
import { staffTarget } from './staff.ts'

/** The claims of the OpenID provider about a person. */
type Claims = {
  /** Issuer and subject. They identify the person even when the e-mail address changes. */
  oidcSubject: string
  name: string
  email: string
  isEmailVerified: boolean
  groups: readonly string[]
}

/** `NOT_ADMITTED`: no group, domain or invitation admits the person. `ACCESS_DISABLED`: an admin ended the access. */
type AdmissionResult = { staffId: string } | { code: 'NOT_ADMITTED' | 'ACCESS_DISABLED' }

/**
 * The claims of an ID token; null where its subject cannot identify anybody. A provider that leaves `email_verified` out has verified
 * nothing; what it verified is the address as it was sent, so that one which cannot be stored as it is admits nobody.
 */
export function parseClaims(issuer: string, profile: unknown): Claims | null {
  const { sub, name, email: sent, email_verified: isVerified, groups } = asFields(profile)
  if (!isSubject(sub)) return null
  const claimed = typeof sent === 'string' ? sent : ''
  const email = visibleText(claimed)
  const isSame = email === claimed && /^[^@]+@[^@]+$/.test(email)
  return {
    oidcSubject: `${issuer}|${sub}`,
    name: (typeof name === 'string' && visibleText(name)) || inLowerCase(email) || visibleText(sub),
    email: inLowerCase(email),
    isEmailVerified: isVerified === true && isSame,
    groups: (Array.isArray(groups) ? groups : [groups]).filter((group) => typeof group === 'string'),
  }
}

/** Not a number, as which two long ones are the same, and no text that PostgreSQL stores as another one. */
function isSubject(sub: unknown): sub is string {
  return typeof sub === 'string' && sub.length <= 300 && /^[^\0\p{Cs}]+$/u.test(sub)
}

/** How the person authenticated at the provider: claims of the ID token, null where absent or malformed. */
export type Authentication = { at: Date | null; acr: string | null; amr: readonly string[] }

export function parseAuthentication(profile: unknown): Authentication {
  const { auth_time: seconds, acr, amr } = asFields(profile)
  const isInstant = typeof seconds === 'number' && seconds > 0 && seconds < 1e11
  return {
    at: isInstant ? new Date(seconds * 1000) : null,
    acr: typeof acr === 'string' ? acr : null,
    amr: Array.isArray(amr) ? amr.filter((method) => typeof method === 'string') : [],
  }
}

/** Clocks may differ by it, and the way back from the provider takes a moment. */
const toleranceMs = minuteMs

/** Why an authentication is not enough: the code for the person and the audit log, and the reason for the process log. */
type AuthenticationProblem = { code: 'SIGN_IN_TIME_UNKNOWN' | 'SIGN_IN_TOO_OLD' | 'SIGN_IN_TOO_WEAK'; reason: string }

/** Checks the age and the strength that the settings ask for, whatever the provider made of the request. */
export function authenticationProblem(
  { at, acr, amr }: Authentication,
  { maxAgeMs, acrValues, amrValues }: Pick<OidcSettings, 'maxAgeMs' | 'acrValues' | 'amrValues'>,
): AuthenticationProblem | null {
  if (maxAgeMs !== null) {
    const ageMs = at === null ? null : Date.now() - at.getTime()
    if (ageMs === null || ageMs < -toleranceMs) {
      const what = ageMs === null ? 'no auth_time' : 'an auth_time in the future'
      return { code: 'SIGN_IN_TIME_UNKNOWN', reason: `the ID token has ${what} (OIDC_MAX_AGE_MINUTES)` }
    }
    if (ageMs > maxAgeMs + toleranceMs) {
      return { code: 'SIGN_IN_TOO_OLD', reason: 'the ID token’s auth_time is older than OIDC_MAX_AGE_MINUTES' }
    }
  }
  if (acrValues.length > 0 && !acrValues.some((value) => value === acr)) {
    return { code: 'SIGN_IN_TOO_WEAK', reason: 'the ID token’s acr is none of OIDC_ACR_VALUES' }
  }
  if (amrValues.length > 0 && !amrValues.some((value) => amr.includes(value))) {
    return { code: 'SIGN_IN_TOO_WEAK', reason: 'the ID token’s amr has none of OIDC_AMR_VALUES' }
  }
  return null
}

function isListedAdmin({ email, isEmailVerified }: Claims, { adminEmails }: Admission): boolean {
  return isEmailVerified && adminEmails.includes(email)
}

/** The role that the claims give: by address, by the first pair of group and role that matches, by domain; otherwise null. */
function roleByClaims(claims: Claims, admission: Admission): Role | null {
  const { email, isEmailVerified, groups } = claims
  if (isListedAdmin(claims, admission)) return 'admin'
  const byGroup = admission.groupRoles.find(({ group }) => groups.includes(group))
  if (byGroup) return byGroup.role
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return isEmailVerified && admission.emailDomains.includes(domain) ? 'viewer' : null
}

/**
 * Admits a person at sign-in. An assigned role (an invitation, or a change by an admin) stays, whatever the groups give; any
 * other role is derived from the claims at each sign-in, so that leaving the group ends the access. A listed admin is one by
 * the setting, which replaces another assigned role, and ends with it. Only a verified address can accept an invitation.
 */
export async function admit(db: Database, admission: Admission, claims: Claims): Promise<AdmissionResult> {
  const { oidcSubject, name, email, isEmailVerified } = claims
  return inTransaction(db, async (tx) => {
    if (isEmailVerified && email !== '') {
      await tx
        .update(staff)
        .set({ oidcSubject })
        .where(
          and(
            eq(staff.origin, 'oidc'),
            isNull(staff.oidcSubject),
            sql`lower(${staff.email}) = ${email}`,
            sql`not exists (select from ${staff} known where known.oidc_subject = ${oidcSubject})`,
          ),
        )
    }
    const [existing] = await tx.select().from(staff).where(eq(staff.oidcSubject, oidcSubject)).for('update')
    if (existing?.disabledAt) return { code: 'ACCESS_DISABLED' }
    const isByClaims =
      existing?.roleSource !== 'assigned' || (existing.role !== 'admin' && isListedAdmin(claims, admission))
    const role = isByClaims ? roleByClaims(claims, admission) : existing.role
    if (existing) await auditRole(tx, existing, role ?? leastRole)
    if (role === null) {
      // Nobody counts as the other admin who can no longer sign in.
      if (existing) await tx.update(staff).set({ role: leastRole }).where(eq(staff.id, existing.id))
      if (existing) await endSessions(tx, existing.id)
      return { code: 'NOT_ADMITTED' }
    }
    const roleSource = isByClaims ? 'claims' : 'assigned'
    const [member] = await tx
      .insert(staff)
      .values({ id: randomUUID(), origin: 'oidc', oidcSubject, name, email, role, createdAt: new Date() })
      .onConflictDoUpdate({
        target: staff.oidcSubject,
        targetWhere: sql`oidc_subject is not null`,
        set: { name, email, role, roleSource },
      })
      .returning({ id: staff.id })
    return member ? { staffId: member.id } : { code: 'NOT_ADMITTED' }
  })
}

/** Role of a person whom the provider's claims no longer admit. */
const leastRole = 'viewer'

async function auditRole(tx: Transaction, existing: typeof staff.$inferSelect, role: Role): Promise<void> {
  if (existing.role === role) return
  const comment = `${existing.role} to ${role}, at a sign-in`
  const target = staffTarget(existing)
  await appendAudit(tx, { by: null, environment: null, act: 'staff.set-role', target, outcome: 'done', comment })
}

/** Ends every session of a person: that person's next request is signed out. */
export async function endSessions(db: Pick<Database, 'update'>, staffId: string): Promise<void> {
  await db
    .update(sessions)
    .set({ revokedAt: new Date(), sealedIdToken: null })
    .where(and(eq(sessions.staffId, staffId), isNull(sessions.revokedAt)))
}

/** Characters that PostgreSQL can store and a screen shows as they are: format characters hide or turn what is beside them. */
function visibleText(text: string): string {
  return text.slice(0, 200).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
}

/** ASCII alone: in others, two letters may become one, such as the Kelvin sign and k. */
function inLowerCase(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
