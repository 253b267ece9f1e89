'use client'

import { type ReactNode, useMemo } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { AsOf } from '#components/environment/as-of.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import { useListParams, useListRead, type ListOf } from '#components/environment/use-list.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import type { Card } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { transactionColumns } from './transaction-columns.tsx'
import { intentLabels, transactionIntents, transactionStatuses, transactionStatusTable } from './transaction-labels.ts'
import { transactionList } from './transaction-params.ts'

const statusOptions = transactionStatuses.map((value) => ({ value, label: transactionStatusTable[value].label }))
const intentOptions = transactionIntents.map((value) => ({ value, label: intentLabels[value] }))

function cardOption({ id, last4, embossedName }: Pick<Card, 'id' | 'last4' | 'embossedName'>): string {
  return [last4 ? `•${last4}` : shortId(id), embossedName].filter(Boolean).join(' ')
}

function TransactionFilterBar({
  list,
  cards,
  find,
}: {
  list: ListOf<typeof transactionList>
  cards: readonly Card[] | undefined
  /** A field that finds one of them, where the page offers it. */
  find?: ReactNode
}) {
  const { params, change } = list
  return (
    <FilterBar list={list} search={find}>
      <FilterSelect
        label="Status"
        value={params.status}
        options={statusOptions}
        onChange={(status) => change({ status })}
      />
      <FilterMenu
        label="Intent"
        values={params.intent}
        options={intentOptions}
        onChange={(intent) => change({ intent })}
      />
      {cards !== undefined && cards.length > 1 && (
        <FilterSelect
          label="Card"
          value={params.cardId}
          options={cards.map(({ id, last4, embossedName }) => ({
            value: id,
            label: cardOption({ last4, embossedName, id }),
          }))}
          onChange={(cardId) => change({ cardId })}
        />
      )}
      <ServiceDays params={params} onChange={change} />
    </FilterBar>
  )
}

/** The anchor of the list, for links on the page. */
export const transactionsId = 'transactions'

/** The transactions of an account, or with `cardId` of one of its cards, straight from the service. */
export function TransactionList({
  environment,
  cardAccountId,
  cardId,
  cards,
  find,
  actions,
}: {
  environment: Environment
  cardAccountId: string
  cardId?: string
  /** The cards that a filter offers. */
  cards?: readonly Card[]
  /** A field that finds one of them. */
  find?: ReactNode
  /** What can be done with the list as it is filtered. */
  actions?: ReactNode
}) {
  const zone = usePageZone()
  const list = useListParams(transactionList)
  const { params, isFiltered, toFirstPage } = list
  const filters = { ...transactionList.searchOf(params, zone), ...(cardId && { cardId }) }
  const { data, table } = useListRead(readQuery('listTransactions', environment, cardAccountId, filters), {
    what: 'The transactions',
    pageSize: 20,
    toFirstPage,
  })
  const columns = useMemo(() => transactionColumns(cardId !== undefined), [cardId])

  return (
    <section
      id={transactionsId}
      tabIndex={-1}
      aria-label="Transactions"
      className="grid min-w-0 scroll-mt-(--sticky-top) gap-3 outline-none"
    >
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-md font-semibold">Transactions</h2>
        {data && (
          <span className="text-soft">
            newest first, <AsOf freshness={data.freshness} />
          </span>
        )}
        {actions && <span className="ml-auto flex flex-wrap justify-end gap-2">{actions}</span>}
      </div>
      <TransactionFilterBar list={list} cards={cards} find={find} />
      <IgnoredFilters parsers={transactionList.parsers} />
      <DataTable
        tableId={cardId === undefined ? 'account-transactions' : 'card-transactions'}
        caption="Transactions"
        columns={columns}
        rows={data?.transactions}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.transaction(environment, cardAccountId, id)}
        {...table}
        empty={
          isFiltered
            ? {
                title: 'No transaction matches these filters',
                body:
                  params.find === null
                    ? 'There may be others without them.'
                    : 'IDs and external IDs match only in full, on this account.',
                actions: list.clearButton,
              }
            : { title: 'No transactions yet', body: 'Charges, top-ups, repayments and fees are listed here.' }
        }
      />
      <ExcludedNote read={data} />
    </section>
  )
}
