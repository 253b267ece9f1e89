import { defineReads, record } from './read.ts'

export const staffReads = defineReads({
  listStaff: { path: 'staff', needs: 'staff.manage', poll: { ...record, staleAfter: 2_000 } },
  readOwnAccount: { path: 'own-account', needs: 'session', poll: { ...record, staleAfter: 2_000 } },
})
