'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import * as admin from '#lib/console/desk/session/staff-admin.ts'
import type { InvitationInput, StaffChangeInput, StaffResult } from '#lib/console/desk/session/staff-admin.ts'

/** Changes a person's role or access, ends their sessions, or removes their passkeys. */
export async function changeStaffAccess(input: StaffChangeInput): Promise<StaffResult> {
  return withBareFailures(() => admin.changeStaffAccess(input))
}

export async function inviteToDesk(input: InvitationInput): Promise<StaffResult> {
  return withBareFailures(() => admin.inviteToDesk(input))
}
