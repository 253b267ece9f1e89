import { HydrationBoundary } from '@tanstack/react-query'
import { TransactionScreen } from '#components/transactions/transaction-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { decoded, environmentOf, prefetch, read } from '../../../../prefetch.ts'

export const metadata = { title: 'Transaction' }

type Props = PageProps<'/[environment]/card-accounts/[cardAccountId]/transactions/[transactionId]'>

export default async function TransactionPage({ params }: Props) {
  const { environment: name, cardAccountId, transactionId } = await decoded(params)
  const environment = environmentOf(name)
  const state = await prefetch(
    routes.transaction(environment, cardAccountId, transactionId),
    read('readTransaction', environment, cardAccountId, transactionId),
  )
  return (
    <HydrationBoundary state={state}>
      <TransactionScreen environment={environment} cardAccountId={cardAccountId} transactionId={transactionId} />
    </HydrationBoundary>
  )
}
