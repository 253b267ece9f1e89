import { defineActions } from './action.ts'
import { defineReads, record } from './read.ts'

export const staffReads = defineReads({
  listStaff: { path: 'staff', needs: 'staff.manage', poll: { ...record, staleAfter: 2_000 } },
  readOwnAccount: { path: 'own-account', needs: 'session', poll: { ...record, staleAfter: 2_000 } },
})

const ofStaff = { needs: 'staff.manage', isGlobal: true, changes: ['staff'] } as const
const ofOneself = { needs: 'session', isGlobal: true, changes: ['own-account'] } as const

export const staffActions = defineActions({
  changeStaffAccess: {
    ...ofStaff,
    act: {
      by: 'act',
      of: {
        'staff.set-role': { act: 'staff.set-role', label: 'Change a role' },
        'staff.disable': { act: 'staff.disable', label: 'Disable access' },
        'staff.enable': { act: 'staff.enable', label: 'Enable access' },
        'staff.sign-out': { act: 'staff.sign-out', label: 'Sign a person out' },
        'staff.remove-passkeys': { act: 'staff.remove-passkeys', label: 'Remove a person’s passkeys' },
      },
    },
  },
  inviteToDesk: { ...ofStaff, act: 'staff.invite', label: 'Invite staff' },
  endOwnSession: { ...ofOneself, act: 'session.end', label: 'End own session' },
  beginEnrolment: ofOneself,
  finishEnrolment: { ...ofOneself, act: 'passkey.add', label: 'Add passkey' },
  renamePasskey: { ...ofOneself, act: 'passkey.rename', label: 'Rename passkey' },
  removePasskey: { ...ofOneself, act: 'passkey.remove', label: 'Remove passkey' },
  confirmStepUp: { ...ofOneself, changes: [] },
})
