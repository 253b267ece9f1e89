import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { appendAudit } from '#lib/audit/chain.ts'
import type { Actor } from '#lib/audit/types.ts'
import { endSessions } from '#lib/auth/admission.ts'
import { isRole, onlyRoles, rolePermissions, roles, type Role } from '#lib/auth/permissions.ts'
import { staffTarget } from '#lib/auth/staff.ts'
import type { Staff } from '#lib/auth/types.ts'
import type { Database, Transaction } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { parseSettings } from '#lib/settings/settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { isoTime } from '#lib/shared/time.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { isOpenSession, sessions, staff } from '#lib/tables/staff.ts'
import { passkeys } from '#lib/tables/step-up.ts'
import type { StaffChange, StaffEntry } from './types.ts'

type StaffRow = typeof staff.$inferSelect
type Origin = StaffRow['origin']

/** The actor in the audit log for changes by `npm run staff`. */
export const commandLine: Actor = {
  id: '5d1c7a52-0000-4000-8000-0000000000ff',
  name: `command line, as ${userOfMachine()}`,
  role: 'admin',
}

/** Who runs the command, by the name on this machine: the user behind sudo, where there is one. */
function userOfMachine(): string {
  try {
    return process.env.SUDO_USER?.slice(0, 64) || userInfo().username
  } catch {
    // A container may run as a user that has no name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Everybody with access, invited or disabled, by name. */
export async function listAllStaff(db: Database, origin: Origin, idleMs: number): Promise<StaffEntry[]> {
  const now = new Date()
  const openSession = and(eq(sessions.staffId, staff.id), isOpenSession(now, new Date(now.getTime() - idleMs)))
  const rows = await db
    .select({
      member: staff,
      openSessions: sql<number>`count(${sessions.id})::int`,
      lastSignInAt: sql<Date | null>`(select ${auditEntries.at} from ${auditEntries}
        where ${auditEntries.staffId} = ${staff.id} and ${auditEntries.act} = 'sign-in' and ${auditEntries.outcome} = 'done'
        order by ${auditEntries.number} desc limit 1)`.mapWith(auditEntries.at),
      passkeys: sql<number>`(select count(*)::int from ${passkeys} where ${passkeys.staffId} = ${staff.id})`,
    })
    .from(staff)
    .leftJoin(sessions, openSession)
    .where(eq(staff.origin, origin))
    .groupBy(staff.id)
    .orderBy(asc(staff.name), asc(staff.id))
  return rows.map(({ member, openSessions, passkeys, lastSignInAt }) => ({
    id: member.id,
    name: member.name,
    email: member.email,
    role: member.role,
    state: staffState(member),
    openSessions: member.disabledAt ? 0 : openSessions,
    passkeys,
    lastSignInAt: isoTime(lastSignInAt),
    isRoleByClaims: member.origin === 'oidc' && member.roleSource === 'claims',
  }))
}

function staffState({ origin, disabledAt, oidcSubject }: StaffRow): StaffEntry['state'] {
  if (disabledAt) return 'disabled'
  return origin === 'oidc' && oidcSubject === null ? 'invited' : 'active'
}

const Email = z.email().max(200).toLowerCase()

/** Gives the owner of an e-mail address a role from their first sign-in on. Throws `INVALID_PARAMETERS`. */
export async function inviteStaff(db: Database, by: Actor, email: string, role: string): Promise<Staff> {
  const parsed = Email.safeParse(email)
  if (!parsed.success) throw new AppError('INVALID_PARAMETERS', `${email} is not an e-mail address.`)
  const address = parsed.data
  const invited: Staff = { id: randomUUID(), name: address, email: address, role: requireRole(role) }
  await inTransaction(db, async (tx) => {
    await requireManager(tx, by)
    const [existing] = await tx
      .select({ id: staff.id })
      .from(staff)
      .where(and(eq(staff.origin, 'oidc'), sql`lower(${staff.email}) = ${address}`))
    if (existing) {
      throw new AppError('INVALID_PARAMETERS', `${address} is on the list already: change that person’s role instead.`)
    }
    await tx.insert(staff).values({ ...invited, origin: 'oidc', roleSource: 'assigned', createdAt: new Date() })
    await appendAudit(tx, {
      by,
      environment: null,
      act: 'staff.invite',
      target: staffTarget(invited),
      outcome: 'done',
      comment: `as ${invited.role}`,
    })
  })
  return invited
}

/** The changes to a person's access, each with the comment of its audit entry. */
const changes = {
  'staff.set-role': async (tx: Transaction, member: StaffRow, role: string | undefined) => {
    const given = requireRole(role)
    await tx.update(staff).set({ role: given, roleSource: 'assigned' }).where(eq(staff.id, member.id))
    return `${member.role} to ${given}`
  },
  'staff.disable': async (tx: Transaction, { id }: StaffRow) => {
    await tx.update(staff).set({ disabledAt: new Date() }).where(eq(staff.id, id))
    await endSessions(tx, id)
    return null
  },
  'staff.enable': async (tx: Transaction, { id }: StaffRow) => {
    await tx.update(staff).set({ disabledAt: null }).where(eq(staff.id, id))
    return null
  },
  'staff.sign-out': async (tx: Transaction, { id }: StaffRow) => {
    await endSessions(tx, id)
    return null
  },
  /** Recovery after losing every passkey: after a fresh sign-in a new one can be enrolled. */
  'staff.remove-passkeys': async (tx: Transaction, { id }: StaffRow) => {
    const removed = await tx.delete(passkeys).where(eq(passkeys.staffId, id)).returning({ name: passkeys.name })
    await endSessions(tx, id)
    return removed.length === 0 ? 'there were none' : removed.map(({ name }) => name).join(', ')
  },
} as const
export const staffChanges = Object.keys(changes) as StaffChange[]

/**
 * Changes a person's access, with its audit entry in the same transaction. `who` is an id, or an e-mail address that only
 * one person has. Your own access cannot be changed, and the last admin stays one. Throws `STAFF_NOT_FOUND`, `NOT_PERMITTED`,
 * `LAST_ADMIN` and `INVALID_PARAMETERS`.
 */
export async function changeStaff(
  db: Database,
  by: Actor,
  change: { act: StaffChange; who: string; origin: Origin; role?: string },
): Promise<Staff> {
  const { act, who, origin, role } = change
  return inTransaction(db, async (tx) => {
    await requireManager(tx, by)
    const member = await findStaff(tx, origin, who)
    if (member.id === by.id) throw new AppError('NOT_PERMITTED', 'You can’t change your own access.')
    const endsAdmin = act === 'staff.disable' || (act === 'staff.set-role' && role !== 'admin')
    if (endsAdmin) await requireOtherAdmin(tx, member)
    if (act === 'staff.set-role' && role !== 'admin') requireUnlisted(member)
    const comment = await changes[act](tx, member, role)
    await appendAudit(tx, { by, environment: null, act, target: staffTarget(member), outcome: 'done', comment })
    const { id, name, email } = member
    return { id, name, email, role: role !== undefined && isRole(role) ? role : member.role }
  })
}

/**
 * Throws `NOT_PERMITTED` where the person who acts no longer manages staff. The command line is trusted: its user has the
 * database.
 */
async function requireManager(tx: Transaction, by: Actor): Promise<void> {
  // Two admins cannot remove each other at once.
  await lockByName(tx, 'staff')
  if (by.id === commandLine.id) return
  const [actor] = await tx
    .select({ role: staff.role })
    .from(staff)
    .where(and(eq(staff.id, by.id), isNull(staff.disabledAt)))
  if (!actor || !rolePermissions[actor.role].includes('staff.manage')) {
    throw new AppError('NOT_PERMITTED', onlyRoles('staff.manage', 'production'))
  }
}

/** Throws `LAST_ADMIN` where the person is the only admin who can sign in. */
async function requireOtherAdmin(tx: Transaction, member: StaffRow): Promise<void> {
  if (member.role !== 'admin' || staffState(member) !== 'active') return
  const admins = await tx
    .select()
    .from(staff)
    .where(and(eq(staff.origin, member.origin), eq(staff.role, 'admin')))
  if (admins.some((admin) => admin.id !== member.id && staffState(admin) === 'active')) return
  throw new AppError('LAST_ADMIN', `${member.name} is the only admin.`)
}

/** Throws `NOT_PERMITTED` where the settings would make the person an admin again at the next sign-in. */
function requireUnlisted({ origin, email }: StaffRow): void {
  const { OIDC_ADMIN_EMAILS: listed = [] } = parseSettings(process.env, ['OIDC_ADMIN_EMAILS']).values
  if (origin !== 'oidc' || !listed.includes(email.toLowerCase())) return
  throw new AppError('NOT_PERMITTED', `${email} is in OIDC_ADMIN_EMAILS: take it out of that setting first.`)
}

async function findStaff(tx: Transaction, origin: Origin, who: string): Promise<StaffRow> {
  const byEmail = sql`lower(${staff.email}) = ${who.toLowerCase()}`
  const byEmailOrId = isUuid(who) ? or(eq(staff.id, who), byEmail) : byEmail
  const found = await tx
    .select()
    .from(staff)
    .where(and(eq(staff.origin, origin), byEmailOrId))
    .for('update')
  const [member] = found
  if (!member) throw new AppError('STAFF_NOT_FOUND', 'There is no such member of staff.')
  if (found.length > 1) {
    throw new AppError('INVALID_PARAMETERS', `${who} is the address of ${found.length} people: name one by id.`)
  }
  return member
}

function requireRole(role: string | undefined): Role {
  if (role !== undefined && isRole(role)) return role
  throw new AppError('INVALID_PARAMETERS', `role must be one of ${roles.join(', ')}`)
}
