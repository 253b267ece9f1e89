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
