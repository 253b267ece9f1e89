import { HydrationBoundary } from '@tanstack/react-query'
import { AccountScreen } from '#components/card-accounts/account-screen.tsx'
import { transactionList } from '#components/transactions/transaction-params.ts'
import { routes } from '#lib/shared/routes.ts'
import { decoded, environmentOf, prefetch, read, readPart, searchOf } from '../../prefetch.ts'

export const metadata = { title: 'Card account' }

type Props = PageProps<'/[environment]/card-accounts/[cardAccountId]'>

export default async function CardAccountPage({ params, searchParams }: Props) {
  const { environment: name, cardAccountId } = await decoded(params)
  const environment = environmentOf(name)
  const filters = await searchOf(transactionList, searchParams)
  const state = await prefetch(
    routes.cardAccount(environment, cardAccountId, await searchParams),
    read('readCardAccount', environment, cardAccountId),
    readPart('listNotes', environment, 'cardaccount', cardAccountId),
    read('listTransactions', environment, cardAccountId, filters),
  )
  return (
    <HydrationBoundary state={state}>
      <AccountScreen environment={environment} cardAccountId={cardAccountId} />
    </HydrationBoundary>
  )
}
