import 'server-only'
import { approvalReads } from '#lib/api/approvals.ts'
import { implement } from '#lib/gate/implement.ts'
import { decideApproval, sendApproved, withdrawApproval } from '#lib/operations/approvals/decide.ts'
import { decidePolicy, proposePolicy, readPolicy } from '#lib/operations/approvals/policy-changes.ts'
import { listApprovals, readApproval } from './read.ts'

export const approvalApi = implement(approvalReads, { listApprovals, readApproval, readPolicy })

export const approvalHandlers = { decideApproval, withdrawApproval, sendApproved, proposePolicy, decidePolicy }
