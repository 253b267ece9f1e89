'use client'

import { type ReactNode, useMemo } from 'react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { AsOf } from '#components/environment/as-of.tsx'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { tableOptions } from '#components/form/options.ts'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { transactionColumns } from './transaction-columns.tsx'
import { intentTitle, transactionStatusTable } from './transaction-labels.ts'
import { transactionList } from './transaction-params.ts'

/** The columns of an account's list; on a card's own page the card is left out. */
function chooseColumns(isOfOneCard: boolean): DataColumn<CardAccountTransaction>[] {
  const { what, when, card, status, amount } = transactionColumns
  return isOfOneCard ? [what, when, status, amount] : [what, when, card, status, amount]
}

const statusOptions = tableOptions(transactionStatusTable)
const intentOptions = tableOptions(intentTitle)

/** The anchor of the list, for links on the page. */
export const transactionsId = 'transactions'

/** The list of an account's transactions, or with `cardId` of one of its cards, straight from the service. */
export function useTransactionList(cardAccountId: string, cardId?: string) {
  const environment = useEnvironment()
  return useList(
    transactionList,
    (search) => readQuery('listTransactions', environment, cardAccountId, { ...search, ...(cardId && { cardId }) }),
    {
      what: 'The transactions',
      noun: 'transaction',
      tableId: cardId === undefined ? 'account-transactions' : 'card-transactions',
      caption: 'Transactions',
      pageSize: 20,
    },
  )
}

/** The section of a page that shows such a list. */
export function TransactionSection({
  list,
  cardAccountId,
  isOfOneCard = false,
  actions,
  find,
  children,
}: {
  list: ReturnType<typeof useTransactionList>
  cardAccountId: string
  isOfOneCard?: boolean
  actions?: ReactNode
  find?: ReactNode
  /** Further filters. */
  children?: ReactNode
}) {
  const environment = useEnvironment()
  const { params, change, filter, data } = list
  const columns = useMemo(() => chooseColumns(isOfOneCard), [isOfOneCard])

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
      <ListFilters list={list} find={find}>
        <FilterSelect label="Status" {...filter('status')} options={statusOptions} />
        <FilterMenu label="Intent" {...filter('intent')} options={intentOptions} />
        {children}
        <ServiceDays params={params} onChange={change} />
      </ListFilters>
      <ListTable
        list={list}
        unmatched={
          params.find === null
            ? 'There may be others without them.'
            : 'IDs and external IDs match only in full, on this account.'
        }
        columns={columns}
        rows={data?.transactions}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.transaction(environment, cardAccountId, id)}
        none={{ title: 'No transactions yet', body: 'Charges, top-ups, repayments and fees are listed here.' }}
      />
      <ExcludedNote read={data} />
    </section>
  )
}
