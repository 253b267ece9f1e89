import { defineReads, list, record, recordOf } from './read.ts'

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
    sensitive: recordOf('cardaccount'),
  },
})
