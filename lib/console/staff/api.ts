import 'server-only'
import { staffReads } from '#lib/api/staff.ts'
import { implement } from '#lib/gate/implement.ts'
import { readOwnAccount } from '../own-account/own-sessions.ts'
import { listStaff } from './staff-admin.ts'

export const staffApi = implement(staffReads, { listStaff, readOwnAccount })
