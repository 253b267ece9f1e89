import { TransactionScreen } from '#components/transactions/transaction-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../../../prefetch.tsx'

export const metadata = { title: 'Transaction' }

export default page<'cardAccountId' | 'transactionId'>(({ environment, cardAccountId, transactionId }) => ({
  here: routes.transaction(environment, cardAccountId, transactionId),
  reads: [read('readTransaction', environment, cardAccountId, transactionId)],
  screen: <TransactionScreen cardAccountId={cardAccountId} transactionId={transactionId} />,
}))
