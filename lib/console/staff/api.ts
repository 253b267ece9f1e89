import 'server-only'
import { staffReads } from '#lib/api/staff.ts'
import { implement } from '#lib/gate/implement.ts'
import { endOwnSession, readOwnAccount } from '../own-account/own-sessions.ts'
import {
  beginEnrolment,
  confirmStepUp,
  finishEnrolment,
  removePasskey,
  renamePasskey,
} from '../own-account/passkeys.ts'
import { changeStaffAccess, inviteToDesk, listStaff } from './staff-admin.ts'

export const staffApi = implement(staffReads, { listStaff, readOwnAccount })

export const staffHandlers = {
  changeStaffAccess,
  inviteToDesk,
  endOwnSession,
  beginEnrolment,
  finishEnrolment,
  renamePasskey,
  removePasskey,
  confirmStepUp,
}
