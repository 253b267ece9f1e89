import 'server-only'
import { z } from 'zod'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import { roles } from '#lib/auth/permissions.ts'
import { requireCurrentStaff, staffOrigin } from '#lib/auth/session.ts'
import { requireStepUp } from '#lib/auth/step-up.ts'
import type { Staff } from '#lib/auth/types.ts'
import { database } from '#lib/db/connection.ts'
import { action } from '#lib/gate/action.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { listAllStaff, changeStaff, inviteStaff, staffChanges } from './staff-changes.ts'
import type { StaffChange, StaffEntry } from './types.ts'

/** All staff, invited and disabled ones included, by name. In demo mode invitations are off. */
export type StaffList = { staff: StaffEntry[]; canInvite: boolean; ownId: string }

export async function listStaff(_environment: Environment): Promise<StaffList> {
  const { staff } = await requireCurrentStaff()
  const { isDemo, idleMs } = consoleSettings()
  return { staff: await listAllStaff(database(), staffOrigin(), idleMs), canInvite: !isDemo, ownId: staff.id }
}

const Change = z
  .object({
    act: z.enum(staffChanges as [StaffChange, ...StaffChange[]], 'must be one of the changes'),
    staffId: z.uuid('must be a UUID'),
    role: z.enum(roles, 'must be one of the roles').optional(),
  })
  .refine(({ act, role }) => (act === 'staff.set-role') === (role !== undefined), {
    path: ['role'],
    message: 'must be given for a change of role, and for nothing else',
  })
const Invitation = z.object({
  email: z.email('must be an e-mail address').max(200).toLowerCase(),
  role: z.enum(roles, 'must be one of the roles'),
})
type StaffResult = { kind: 'done'; staff: Staff } | NotStarted

/** Changes that grant access need a passkey; changes that remove access must be quick. */
const confirmed: readonly StaffChange[] = ['staff.set-role', 'staff.enable', 'staff.remove-passkeys']

/** Changes a person's access; it counts from that person's next request. */
export const changeStaffAccess = action('changeStaffAccess', {
  input: Change,
  target: (idIn) => {
    const id = idIn('staffId')
    return id && isUuid(id) ? { type: 'staff', id, parentId: null, label: null } : null
  },
  run: async (given, { staff: admin, target }): Promise<StaffResult> => {
    const { act, staffId: who, role } = given
    if (confirmed.includes(act)) await requireStepUp({ ...inNone, kind: act, input: given, target })
    const change = { act, who, origin: staffOrigin(), ...(role === undefined ? {} : { role }) }
    const attempt = { environment: null, kind: act, by: admin, target }
    return {
      kind: 'done',
      staff: await auditRefusedAttempts(attempt, () => changeStaff(database(), admin, change)),
    }
  },
})

/** Gives the owner of an e-mail address a role from their first sign-in on. */
export const inviteToDesk = action('inviteToDesk', {
  input: Invitation,
  run: async (given, { staff: admin }): Promise<StaffResult> => {
    const kind = 'staff.invite'
    await requireStepUp({ ...inNone, kind, input: given, target: null })
    const invite = () => inviteStaff(database(), admin, given.email, given.role)
    return {
      kind: 'done',
      staff: await auditRefusedAttempts({ environment: null, kind, by: admin, target: null }, invite),
    }
  },
})

const inNone = { environment: null, operationId: null } as const
