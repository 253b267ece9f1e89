import { defineActions } from './action.ts'
import { defineReads, forever } from './read.ts'

export const limitReads = defineReads({
  readLimitDraft: {
    path: 'card-accounts/limits',
    needs: 'limits.set',
    // Read once: what was typed since is the person's. Read anew each time the page opens: limits may have changed since.
    poll: { staleAfter: forever, keepFor: 0 },
    staleOn: { cardaccounts: true },
  },
})

const settingMany = { needs: 'limits.set', act: 'account.set-limit' } as const

export const limitActions = defineActions({
  'account.set-limit': {
    needs: 'limits.set',
    noun: 'limit',
    label: 'Set fixed limit',
    done: 'Limit set',
    // Required for a higher limit: the row in limits/operations.ts.
    reasons: ['cardholder-request', 'credit-review', 'temporary-change', 'program-policy', 'other'],
    changes: ['card-accounts', 'overview'],
  },
  previewLimits: settingMany,
  startLimits: { ...settingMany, changes: ['bulk-jobs'] },
})
