import { defineReads, list, record } from './read.ts'

export const transactionReads = defineReads({
  listTransactions: {
    path: 'card-accounts/[cardAccountId]/transactions',
    needs: 'accounts.read',
    poll: list,
    staleOn: { cardaccount: ({ id }) => [id], cardaccounts: true },
  },
  readTransaction: {
    path: 'card-accounts/[cardAccountId]/transactions/[transactionId]',
    needs: 'accounts.read',
    poll: record,
    staleOn: { cardaccount: ({ id }) => [id], cardaccounts: true },
  },
  listProgramTransactions: {
    path: 'transactions',
    needs: 'accounts.read',
    poll: list,
    staleOn: { cardaccount: true, cardaccounts: true },
  },
  listDeclineReasons: {
    path: 'transactions/declines',
    needs: 'accounts.read',
    poll: list,
    staleOn: { cardaccount: true, cardaccounts: true },
  },
})
