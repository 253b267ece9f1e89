import 'server-only'
import { transactionReads } from '#lib/api/transactions.ts'
import { implement } from '#lib/gate/implement.ts'
import { readTransaction } from './detail.ts'
import { listDeclineReasons, listProgramTransactions } from './list-program-transactions.ts'
import { listTransactions } from './list.ts'

export const transactionApi = implement(transactionReads, {
  listTransactions,
  readTransaction,
  listProgramTransactions,
  listDeclineReasons,
})
