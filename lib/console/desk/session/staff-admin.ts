import 'server-only'
import { database } from '#lib/db/connection.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { isAppError } from '../app-error.ts'
import { recordRefusedAttempt } from '../audit/refused-attempts.ts'
import type { Role } from '../permissions.ts'
import { consoleSettings } from '../settings.ts'
import { currentSession, requirePermission } from './session.ts'
import { allStaff, changeStaff, type StaffChange, type StaffEntry } from './staff-changes.ts'

const originOfMode = () => (consoleSettings().isDemo ? 'demo' : 'oidc')

/** Everybody with access, invited or disabled, by name. */
export async function listStaff(): Promise<StaffEntry[]> {
  await requirePermission('staff.manage', 'sandbox')
  return allStaff(database(), originOfMode(), consoleSettings().idleMs)
}

/** Gives a person another role; it counts from that person's next request. */
export function setStaffRole(staffId: string, role: Role): Promise<void> {
  return manage('staff.set-role', staffId, role)
}

/** Ends every session of a person, whose next request is then signed out. */
export function signStaffOut(staffId: string): Promise<void> {
  return manage('staff.sign-out', staffId)
}

/** Permission first; what is refused is audited too. */
async function manage(act: StaffChange, staffId: string, role?: Role): Promise<void> {
  const db = database()
  const by = (await currentSession())?.staff ?? null
  try {
    const admin = await requirePermission('staff.manage', 'sandbox')
    await changeStaff(db, admin, { act, who: staffId, origin: originOfMode(), ...(role === undefined ? {} : { role }) })
  } catch (error) {
    if (by && isAppError(error)) {
      const target = isUuid(staffId) ? { type: 'staff', id: staffId, parentId: null, label: null } : null
      await recordRefusedAttempt(db, { by, environment: null, act, target, code: error.code })
    }
    throw error
  }
}
