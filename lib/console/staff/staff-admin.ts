import 'server-only'
import { z } from 'zod'
import { recordRefusedAttempt } from '#lib/audit/refused-attempts.ts'
import { roles } from '#lib/auth/permissions.ts'
import { currentSession, requirePermission, requireCurrentStaff } from '#lib/auth/session.ts'
import { requireStepUp } from '#lib/auth/step-up.ts'
import type { Staff } from '#lib/auth/types.ts'
import { database } from '#lib/db/connection.ts'
import { unlessRefused } from '#lib/operations/act.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { fieldErrors } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { allStaff, changeStaff, inviteStaff, staffChanges } from './staff-changes.ts'
import type { StaffChange, StaffEntry } from './types.ts'

const originOfMode = () => (consoleSettings().isDemo ? 'demo' : 'oidc')

/** All staff, invited and disabled ones included, by name. In demo mode invitations are off. */
export type StaffList = { staff: StaffEntry[]; canInvite: boolean; ownId: string }

export async function listStaff(_environment: Environment): Promise<StaffList> {
  const { staff } = await requireCurrentStaff()
  const { isDemo, idleMs } = consoleSettings()
  return { staff: await allStaff(database(), originOfMode(), idleMs), canInvite: !isDemo, ownId: staff.id }
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
export function changeStaffAccess(input: z.input<typeof Change>): Promise<StaffResult> {
  return manage(
    String((input as { act?: unknown } | null)?.act ?? 'staff.set-role'),
    Change,
    input,
    (change, admin) => {
      const { act, staffId: who, role } = change
      return changeStaff(database(), admin, {
        act,
        who,
        origin: originOfMode(),
        ...(role === undefined ? {} : { role }),
      })
    },
  )
}

/** Gives the owner of an e-mail address a role from their first sign-in on. */
export function inviteToDesk(input: z.input<typeof Invitation>): Promise<StaffResult> {
  return manage('staff.invite', Invitation, input, ({ email, role }, admin) =>
    inviteStaff(database(), admin, email, role),
  )
}

/** Permission, input, step-up, change; refused attempts are audited too. */
async function manage<Input extends object>(
  act: string,
  schema: z.ZodType<Input>,
  input: unknown,
  change: (input: Input, admin: Staff) => Promise<Staff>,
): Promise<StaffResult> {
  return unlessRefused<StaffResult>(async () => {
    const parsed = schema.safeParse(input)
    const staffId = parsed.data && 'staffId' in parsed.data ? String(parsed.data.staffId) : null
    const target = staffId && isUuid(staffId) ? { type: 'staff', id: staffId, parentId: null, label: null } : null
    try {
      const admin = await requirePermission('staff.manage', 'sandbox')
      if (!parsed.success) return { kind: 'invalid', fields: fieldErrors(parsed.error) }
      if (act === 'staff.invite' || confirmed.some((one) => one === act)) {
        await requireStepUp({ kind: act, environment: null, operationId: null, input: parsed.data, target })
      }
      return { kind: 'done', staff: await change(parsed.data, admin) }
    } catch (error) {
      const by = (await currentSession())?.staff ?? null
      // The step-up writes its own entries.
      const isStepUp = isAppError(error) && (error.code === 'STEP_UP_REQUIRED' || error.code === 'PASSKEY_REQUIRED')
      if (by && isAppError(error) && !isStepUp) {
        const named = staffChanges.some((one) => one === act) || act === 'staff.invite' ? act : 'staff.set-role'
        await recordRefusedAttempt(database(), { by, environment: null, act: named, target, code: error.code })
      }
      throw error
    }
  })
}
