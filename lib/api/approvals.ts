import { approvalTopicNames, decidingPermissions } from '#lib/operations/approvals/policy-rules.ts'
import { approvalStates } from '#lib/operations/types.ts'
import { defineActions } from './action.ts'
import { defineReads, list, record, sensitiveRecord } from './read.ts'
import { choice, defineSearch, uuid } from './search.ts'

export const approvalSearch = defineSearch({
  state: choice(...approvalStates),
  topic: choice(...approvalTopicNames),
  /** Id of the person who submitted it. */
  by: uuid,
})

export const approvalReads = defineReads({
  listApprovals: { path: 'approvals', needs: 'approvals.read', poll: list, staleOn: { approvals: true } },
  readApproval: {
    path: 'approvals/[approvalId]',
    needs: 'approvals.read',
    poll: { every: 10_000, staleAfter: 1_000 },
    staleOn: { approvals: true },
    sensitive: sensitiveRecord('approval'),
  },
  readPolicy: { path: 'policy', needs: 'policy.read', poll: record, staleOn: { policy: true } },
})

const ofRequest = { changes: 'everything' } as const

export const approvalActions = defineActions({
  decideApproval: {
    ...ofRequest,
    // The topic is the browser's: the body asks again for that of the request.
    needs: { by: 'topic', of: decidingPermissions },
    act: {
      by: 'decision',
      of: {
        approve: { act: 'approval.approve', label: 'Approve request' },
        decline: { act: 'approval.decline', label: 'Decline request' },
      },
    },
  },
  withdrawApproval: { ...ofRequest, needs: 'approvals.read', act: 'approval.withdraw', label: 'Withdraw request' },
  sendApproved: {
    needs: 'approvals.read',
    act: 'approval.send',
    label: 'Send approved request',
    changes: ['approvals'],
  },
  proposePolicy: { needs: 'policy.manage', act: 'policy.propose', label: 'Propose policy', changes: ['policy'] },
  decidePolicy: {
    needs: 'policy.manage',
    act: {
      by: 'decision',
      of: {
        confirm: { act: 'policy.confirm', label: 'Confirm policy' },
        reject: { act: 'policy.reject', label: 'Reject policy' },
        withdraw: { act: 'policy.withdraw', label: 'Withdraw policy proposal' },
      },
    },
    changes: ['policy'],
  },
})
