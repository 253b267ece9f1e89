import { defineActions, fileTooLarge } from './action.ts'
import { defineReads, list, record, sensitiveRecord } from './read.ts'
import { defineSearch, text } from './search.ts'

/** Reasons are an open set. */
export const identitySearch = defineSearch({ q: text(200), reason: text(300) })

export const identityReads = defineReads({
  listIdentities: {
    path: 'identity',
    needs: 'accounts.read',
    poll: list,
    staleOn: { cardaccount: true, cardaccounts: true },
  },
  listIndividualLists: {
    path: 'identity/lists',
    needs: 'accounts.read',
    poll: { staleAfter: 600_000 },
    staleOn: { cardaccounts: true },
  },
  readIdentityCase: {
    path: 'identity/[cardAccountId]',
    needs: 'accounts.read',
    poll: record,
    staleOn: { cardaccount: ({ id }) => [id], cardaccounts: true },
    sensitive: sensitiveRecord('cardaccount'),
  },
})

const ofIdentity = { noun: 'identity', changes: ['identity', 'card-accounts', 'overview'] } as const

export const identityActions = defineActions({
  'identity.resubmit': {
    ...ofIdentity,
    needs: 'identity.manage',
    label: 'Resubmit identity',
    done: 'Identity resubmitted',
    note: 'The new decision appears here.',
    refused: {
      ...fileTooLarge,
      INVALID_PARAMETERS: {
        happened: 'The identity wasn’t resubmitted. It may have been decided or resubmitted meanwhile.',
        next: 'Check the identity’s status, then the details you entered.',
      },
    },
  },
  'identity.simulate': {
    ...ofIdentity,
    needs: 'sandbox.simulate',
    label: 'Simulate identity decision',
    done: 'Decision simulated',
  },
})
