import type { Permission } from '#lib/auth/permissions.ts'
import type { XmetadataTargetType } from '#lib/contract/xmetadata.ts'
import { defineActions } from './action.ts'
import { defineReads } from './read.ts'

/** Who reads a record of each type, its references and its notes. */
export const recordReaders = {
  cardaccount: 'accounts.read',
  card: 'accounts.read',
  payout: 'payouts.read',
} as const satisfies Record<XmetadataTargetType, Permission>

export const referenceReads = defineReads({
  readReference: {
    path: 'references/[type]/[id]',
    needs: { by: 'type', of: recordReaders },
    // Never cached: the editor begins with what the service has then.
    poll: { every: 10_000, keepFor: 0, staleAfter: 0 },
    staleOn: {
      card: ({ id }) => ['card', id],
      cardaccount: ({ id }) => ['cardaccount', id],
      cardaccounts: true,
      payouts: () => ['payout'],
    },
  },
})

export const referenceActions = defineActions({
  'reference.set': {
    needs: 'references.edit',
    noun: 'references',
    label: 'Set reference',
    done: 'References updated',
    changes: ['references', 'card-accounts', 'payouts', 'overview'],
  },
})
