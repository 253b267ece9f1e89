import 'server-only'
import { cardAccountReads } from '#lib/api/card-accounts.ts'
import { implement } from '#lib/gate/implement.ts'
import { explainBalance } from './balance-explanation.ts'
import { listCardAccounts, readAggregateBalances, listMetadataKeys, readCardAccount } from './list.ts'

export const cardAccountApi = implement(cardAccountReads, {
  listCardAccounts,
  readAggregateBalances,
  listMetadataKeys,
  readCardAccount,
  explainBalance,
})
