'use client'

import { useQuery } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { tableParams } from '#components/data-table/table-params.ts'
import { AsOf } from '#components/environment/as-of.tsx'
import { readFailure } from '#components/environment/read-failure.ts'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { Button } from '#components/ui/button.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import type { Card } from '#lib/contract/cards.ts'
import { transactionsQuery } from '#lib/queries/transactions.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { EntryTypeNote } from './entry-type-note.tsx'
import { transactionColumns } from './transaction-columns.tsx'
import { TransactionFilterBar } from './transaction-filter-bar.tsx'
import { transactionFilters, transactionParams } from './transaction-params.ts'

/** The transactions of an account, or with `cardId` of one of its cards, straight from the service. */
export function TransactionList({
  environment,
  cardAccountId,
  cardId,
  cards,
}: {
  environment: Environment
  cardAccountId: string
  cardId?: string
  /** The cards that a filter offers. */
  cards?: readonly Card[]
}) {
  const zone = usePageZone()
  const [params, setParams] = useQueryStates({ ...transactionParams, from: tableParams.from }, { history: 'push' })
  const filters = transactionFilters(params, zone, cardId)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(
    transactionsQuery(environment, cardAccountId, filters),
  )
  const columns = useMemo(() => transactionColumns(cardId !== undefined), [cardId])
  const isFiltered = [params.status, params.intent, params.card, params.since, params.until].some(
    (value) => value !== null,
  )
  const clear = () =>
    void setParams({ status: null, intent: null, card: null, since: null, until: null, pageToken: null, from: null })

  return (
    <section aria-label="Transactions" className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-md font-semibold">Transactions</h2>
        {data && (
          <span className="text-soft">
            newest first, <AsOf seen={data.seen} />
          </span>
        )}
      </div>
      <TransactionFilterBar
        params={params}
        cards={cards}
        isFiltered={isFiltered}
        onChange={(change) => void setParams({ ...change, pageToken: null, from: null })}
        onClear={clear}
      />
      <IgnoredFilters parsers={transactionParams} />
      <DataTable
        tableId={cardId === undefined ? 'account-transactions' : 'card-transactions'}
        caption="Transactions"
        columns={columns}
        rows={data?.transactions}
        rowId={({ id }) => id}
        failure={data ? null : readFailure(error, 'The transactions')}
        onRetry={() => void refetch()}
        isRefreshing={isPlaceholderData || (isFetching && data === undefined)}
        paging={data && { prevPageToken: data.prevPageToken, nextPageToken: data.nextPageToken, pageSize: 20 }}
        empty={
          isFiltered
            ? {
                title: 'No transaction matches these filters',
                body: 'There may be others without them.',
                actions: <Button onClick={clear}>Clear filters</Button>,
              }
            : { title: 'No transactions yet', body: 'Charges, top-ups, repayments and fees are listed here.' }
        }
      />
      <EntryTypeNote />
    </section>
  )
}
