import 'server-only'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { appendAudit, recordAudit } from './audit-chain.ts'
import { isRole, roles, type Role } from './permissions.ts'
import { isRefusal, Refusal } from './refusal.ts'
import { currentSession, requirePermission } from './session.ts'
import { consoleSettings } from './settings.ts'
import type { Staff } from './staff.ts'
import { sessions, staff } from './tables/staff.ts'

/** Everybody who may sign in, in order of their names. */
export async function listStaff(): Promise<Staff[]> {
  await requirePermission('staff.manage', 'sandbox')
  const { id, name, email, role } = staff
  return database()
    .select({ id, name, email, role })
    .from(staff)
    .where(and(eq(staff.origin, consoleSettings().isDemo ? 'demo' : 'oidc'), isNull(staff.disabledAt)))
    .orderBy(asc(staff.name), asc(staff.id))
}

/** Gives somebody another role; it counts from that person's next request. Nobody changes their own. */
export async function setStaffRole(staffId: string, role: Role): Promise<void> {
  await manage('staff.set-role', staffId, async (tx, member) => {
    if (!isRole(role)) throw new Refusal('INVALID_PARAMETERS', `role must be one of ${roles.join(', ')}`)
    await tx.update(staff).set({ role }).where(eq(staff.id, member.id))
    return `${member.role} to ${role}`
  })
}

/** Ends every session of somebody: that person's next request is signed out. */
export async function signStaffOut(staffId: string): Promise<void> {
  await manage('staff.sign-out', staffId, async (tx, member) => {
    await tx
      .update(sessions)
      .set({ revokedAt: new Date() })
      .where(and(eq(sessions.staffId, member.id), isNull(sessions.revokedAt)))
    return null
  })
}

type Tx = Parameters<Parameters<ReturnType<typeof database>['transaction']>[0]>[0]

/** Permission, the change and its audit entry in one transaction; what is refused is audited too. */
async function manage(
  act: string,
  staffId: string,
  change: (tx: Tx, member: Staff) => Promise<string | null>,
): Promise<void> {
  const db = database()
  const by = (await currentSession())?.staff ?? null
  const target = (label: string | null) => ({ type: 'staff', id: staffId, parentId: null, label })
  try {
    const admin = await requirePermission('staff.manage', 'sandbox')
    await inTransaction(db, async (tx) => {
      const [member] = isUuid(staffId) ? await tx.select().from(staff).where(eq(staff.id, staffId)).for('update') : []
      if (!member) throw new Refusal('STAFF_NOT_FOUND', 'There is no such member of staff.')
      if (member.id === admin.id) throw new Refusal('NOT_PERMITTED', 'Nobody can change their own access.')
      const comment = await change(tx, member)
      await appendAudit(tx, {
        by: admin,
        environment: null,
        act,
        target: target(member.name),
        outcome: 'done',
        comment,
      })
    })
  } catch (error) {
    if (by && isRefusal(error)) {
      const targetOrNone = isUuid(staffId) ? target(null) : null
      await recordAudit(db, { by, environment: null, act, target: targetOrNone, outcome: 'refused', code: error.code })
    }
    throw error
  }
}
