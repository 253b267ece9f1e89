import { defineActions } from './action.ts'
import { defineReads, list } from './read.ts'

export const feeReads = defineReads({
  listFees: { path: 'fees', needs: 'accounts.read', poll: list, staleOn: { fees: true, cardaccount: true } },
  readFee: {
    path: 'fees/[feeId]',
    needs: 'accounts.read',
    poll: { staleAfter: 0 },
    staleOn: { fees: true, cardaccount: true },
  },
})

export const feeActions = defineActions({
  'fee.waive': {
    needs: 'fees.waive',
    noun: 'fee',
    label: 'Waive fee',
    done: 'Fee waived',
    reasons: ['goodwill', 'charged-in-error', 'service-problem', 'program-policy', 'other'],
    isReasonRequired: true,
    refused: {
      INVALID_PARAMETERS: {
        happened: 'The fee wasn’t waived. It may be void already.',
        next: 'Check the fee’s status. A void fee needs nothing more.',
      },
    },
    changes: ['fees', 'card-accounts', 'overview'],
  },
})
