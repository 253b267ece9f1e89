import { AccountScreen } from '#components/card-accounts/account-screen.tsx'
import { transactionSearch } from '#lib/api/transactions.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readPart, readSearch } from '../../prefetch.tsx'

export const metadata = { title: 'Card account' }

export default page<'cardAccountId'>(async ({ environment, cardAccountId, search }) => {
  const filters = await readSearch(transactionSearch, search)
  return {
    here: routes.cardAccount(environment, cardAccountId, search),
    reads: [
      read('readCardAccount', environment, cardAccountId),
      read('listUnsettled', environment, { about: cardAccountId, pageSize: '5' }),
      readPart('listNotes', environment, 'cardaccount', cardAccountId),
      read('listTransactions', environment, cardAccountId, filters),
    ],
    screen: <AccountScreen cardAccountId={cardAccountId} />,
  }
})
