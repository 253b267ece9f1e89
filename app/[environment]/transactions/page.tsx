import { ProgramTransactionsScreen } from '#components/transactions/program/program-transactions-screen.tsx'
import { programTransactionSearch } from '#lib/api/transactions.ts'
import { routes } from '#lib/shared/routes.ts'
import { openDefaultView, page, read, readSearch } from '../prefetch.tsx'

export const metadata = { title: 'Transactions' }

export default page(async ({ environment, search }) => {
  await openDefaultView(environment, 'transactions', routes.transactions(environment), search)
  const filters = await readSearch(programTransactionSearch, search)
  return {
    here: routes.transactions(environment, search),
    reads: [read('listProgramTransactions', environment, filters)],
    screen: <ProgramTransactionsScreen />,
  }
})
