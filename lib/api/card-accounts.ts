import { defineActions } from './action.ts'
import { defineReads, list, record, sensitiveRecord } from './read.ts'

export const cardAccountReads = defineReads({
  listCardAccounts: {
    path: 'card-accounts',
    needs: 'accounts.read',
    poll: list,
    staleOn: { card: true, cardaccount: true, cardaccounts: true },
  },
  readAggregateBalances: {
    path: 'card-accounts/aggregate-balances',
    needs: 'accounts.read',
    poll: { keepsRows: true },
    staleOn: { card: true, cardaccount: true, cardaccounts: true },
  },
  listMetadataKeys: {
    path: 'card-accounts/metadata-keys',
    needs: 'accounts.read',
    poll: { staleAfter: 60_000 },
    staleOn: { cardaccounts: true },
  },
  readCardAccount: {
    path: 'card-accounts/[cardAccountId]',
    needs: 'accounts.read',
    poll: record,
    staleOn: { card: ({ cardAccountId }) => [cardAccountId], cardaccount: ({ id }) => [id], cardaccounts: true },
    sensitive: sensitiveRecord('cardaccount'),
  },
  explainBalance: {
    path: 'card-accounts/[cardAccountId]/balance',
    needs: 'accounts.read',
    // Reads all entries of an account.
    poll: { every: 60_000 },
    staleOn: { cardaccount: ({ id }) => [id], cardaccounts: true },
  },
})

export const cardAccountActions = defineActions({
  'account.open': {
    needs: 'accounts.open',
    noun: 'account',
    label: 'Open card account',
    creates: true,
    done: 'Account opened',
    note: 'Its identity is pending.',
    changes: ['card-accounts', 'identity', 'overview'],
  },
})
