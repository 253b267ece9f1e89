import { programTransactionList } from '#components/transactions/program/program-transaction-params.ts'
import { ProgramTransactionsScreen } from '#components/transactions/program/program-transactions-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Transactions' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'transactions', routes.transactions(environment), search)
  const filters = await readSearch(programTransactionList, search)
  return {
    here: routes.transactions(environment, search),
    reads: [read('listProgramTransactions', environment, filters)],
    screen: <ProgramTransactionsScreen />,
  }
})
