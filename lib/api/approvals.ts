import { defineReads, list, record, recordOf } from './read.ts'

export const approvalReads = defineReads({
  listApprovals: { path: 'approvals', needs: 'approvals.read', poll: list, staleOn: { approvals: true } },
  readApproval: {
    path: 'approvals/[approvalId]',
    needs: 'approvals.read',
    poll: { every: 10_000, staleAfter: 1_000 },
    staleOn: { approvals: true },
    sensitive: recordOf('approval'),
  },
  readPolicy: { path: 'policy', needs: 'policy.read', poll: record, staleOn: { policy: true } },
})
