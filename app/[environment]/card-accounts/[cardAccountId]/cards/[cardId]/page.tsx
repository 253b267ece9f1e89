import { HydrationBoundary } from '@tanstack/react-query'
import { CardScreen } from '#components/cards/card-screen.tsx'
import { declinedFilters, usageFilters } from '#components/cards/card-usage.ts'
import { transactionList } from '#components/transactions/transaction-params.ts'
import { readCardClock } from '#lib/console/cards/detail.ts'
import type { TransactionFilters } from '#lib/console/transactions/list.ts'
import { routes } from '#lib/shared/routes.ts'
import { decoded, environmentOf, prefetch, read, readPart, searchOf } from '../../../../prefetch.ts'

export const metadata = { title: 'Card' }

type Props = PageProps<'/[environment]/card-accounts/[cardAccountId]/cards/[cardId]'>

export default async function CardPage({ params, searchParams }: Props) {
  const { environment: name, cardAccountId, cardId } = await decoded(params)
  const environment = environmentOf(name)
  const nowMs = await readCardClock(environment).catch(() => Date.now())
  const list = { ...(await searchOf(transactionList, searchParams)), cardId }
  const transactions = (filters: TransactionFilters) => read('listTransactions', environment, cardAccountId, filters)
  const state = await prefetch(
    routes.card(environment, cardAccountId, cardId),
    read('readCard', environment, cardAccountId, cardId),
    readPart('listNotes', environment, 'card', cardId),
    ...[list, declinedFilters(cardId), usageFilters(cardId, nowMs)].map(transactions),
  )
  return (
    <HydrationBoundary state={state}>
      <CardScreen environment={environment} cardAccountId={cardAccountId} cardId={cardId} />
    </HydrationBoundary>
  )
}
