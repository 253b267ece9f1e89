import { defineReads, forever } from './read.ts'

export const limitReads = defineReads({
  limitsStart: {
    path: 'card-accounts/limits',
    needs: 'limits.set',
    // Read once: what was typed since is the person's.
    poll: { staleAfter: forever },
    staleOn: { cardaccounts: true },
  },
})
