import { CardScreen } from '#components/cards/card-screen.tsx'
import { declinedFilters, usageFilters } from '#components/cards/card-usage.ts'
import { transactionSearch } from '#lib/api/transactions.ts'
import { reads } from '#lib/console/reads.ts'
import type { TransactionFilters } from '#lib/console/transactions/list.ts'
import { routes } from '#lib/shared/routes.ts'
import { page, read, readPart, readSearch } from '../../../../prefetch.tsx'

export const metadata = { title: 'Card' }

export default page<'cardAccountId' | 'cardId'>(async ({ environment, cardAccountId, cardId, search }) => {
  const { serviceNowMs } = await reads
    .readServiceClockForScreen(environment)
    .catch(() => ({ serviceNowMs: Date.now() }))
  const list = { ...(await readSearch(transactionSearch, search)), cardId }
  const transactions = (filters: TransactionFilters) => read('listTransactions', environment, cardAccountId, filters)
  return {
    here: routes.card(environment, cardAccountId, cardId, search),
    reads: [
      read('readCard', environment, cardAccountId, cardId),
      readPart('listNotes', environment, 'card', cardId),
      ...[list, declinedFilters(cardId), usageFilters(cardId, serviceNowMs)].map(transactions),
    ],
    screen: <CardScreen cardAccountId={cardAccountId} cardId={cardId} />,
  }
})
