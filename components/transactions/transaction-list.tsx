'use client'

import { useMemo } from 'react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { AsOf } from '#components/environment/as-of.tsx'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { ExportButton } from '#components/export/export-button.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { CodeBadge } from '#components/ui/badge.tsx'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { Time } from '#components/ui/time.tsx'
import type { Card, CardAccountTransaction } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { countryLabel } from '#lib/shared/countries.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import {
  declineReason,
  disputeStatusEntry,
  entryTypeMeaning,
  intentLabel,
  intentLabels,
  transactionIntents,
  transactionStatusEntry,
  transactionStatuses,
  transactionStatusTable,
  transactionTitle,
} from './transaction-labels.ts'
import { foreignAmount, isMadeWithCard } from './transaction-meanings.ts'
import { findProblem, transactionList } from './transaction-params.ts'

type Column = DataColumn<CardAccountTransaction>

function What({ transaction }: { transaction: CardAccountTransaction }) {
  return (
    <span className="line-clamp-2 max-w-120 min-w-32 font-medium wrap-anywhere">{transactionTitle(transaction)}</span>
  )
}

function Below({ transaction }: { transaction: CardAccountTransaction }) {
  const { merchant, intent, authorization } = transaction
  const reason = declineReason(transaction)
  const kind = authorization?.type === 'ATM' ? 'Cash' : intent && intentLabel(intent)
  return (
    <span className="block max-w-120 wrap-anywhere">
      <span className="flex flex-wrap items-center gap-1 pb-1 @min-[40rem]:hidden">
        <CodeBadge code={transaction.status} entryOf={transactionStatusEntry} />
        {transaction.disputeStatus && <CodeBadge code={transaction.disputeStatus} entryOf={disputeStatusEntry} />}
        <Time instant={transaction.createdAt} />
      </span>
      {[kind, merchant?.category, merchant?.country && countryLabel(merchant.country)].filter(Boolean).join(' · ')}
      {reason && <span className="block text-bad">Declined: {reason}</span>}
    </span>
  )
}

function Money({ transaction }: { transaction: CardAccountTransaction }) {
  const { amount, currency, entryType, status } = transaction
  const hasNoEffect = status === 'declined' || status === 'void'
  return (
    <>
      <Amount
        amount={amount}
        currency={currency}
        entryType={entryType}
        {...(hasNoEffect ? { tone: 'neutral', className: 'line-through decoration-faint' } : {})}
      />
      <Foreign transaction={transaction} />
    </>
  )
}

function Foreign({ transaction }: { transaction: CardAccountTransaction }) {
  const foreign = foreignAmount(transaction)
  return foreign === null ? null : <span className="block text-2xs text-faint">{foreign} at the merchant</span>
}

const columns: Record<'what' | 'when' | 'card' | 'status' | 'amount', Column> = {
  what: {
    id: 'what',
    header: 'Transaction',
    cell: (transaction) => <What transaction={transaction} />,
    below: (transaction) => <Below transaction={transaction} />,
  },
  when: {
    id: 'when',
    header: 'Recorded',
    priority: 2,
    cell: ({ createdAt }) => <Time instant={createdAt} format="date-time" className="text-soft" />,
  },
  card: {
    id: 'card',
    header: 'Card',
    priority: 3,
    cell: (transaction) => {
      if (transaction.cardLast4) return <span className="font-mono text-soft">•{transaction.cardLast4}</span>
      return isMadeWithCard(transaction) ? <NotProvided /> : <span className="text-faint">none</span>
    },
  },
  status: {
    id: 'status',
    header: 'Status',
    priority: 2,
    cell: ({ status, disputeStatus }) => (
      <span className="flex flex-wrap gap-1">
        <CodeBadge code={status} entryOf={transactionStatusEntry} />
        {disputeStatus && <CodeBadge code={disputeStatus} entryOf={disputeStatusEntry} />}
      </span>
    ),
  },
  amount: {
    id: 'amount',
    header: 'Amount',
    hint: entryTypeMeaning,
    align: 'end',
    isHideable: false,
    cell: (transaction) => <Money transaction={transaction} />,
  },
}

/** The columns of a list of transactions; on a card's own page the card is left out. */
function transactionColumns(isOfOneCard: boolean): Column[] {
  const { what, when, card, status, amount } = columns
  return isOfOneCard ? [what, when, status, amount] : [what, when, card, status, amount]
}

const statusOptions = transactionStatuses.map((value) => ({ value, label: transactionStatusTable[value].label }))
const intentOptions = transactionIntents.map((value) => ({ value, label: intentLabels[value] }))

function cardOption({ id, last4, embossedName }: Pick<Card, 'id' | 'last4' | 'embossedName'>): string {
  return [last4 ? `•${last4}` : shortId(id), embossedName].filter(Boolean).join(' ')
}

/** The anchor of the list, for links on the page. */
export const transactionsId = 'transactions'

/** The transactions of an account, or with `cardId` of one of its cards, straight from the service. */
export function TransactionList({
  cardAccountId,
  cardId,
  cards,
}: {
  cardAccountId: string
  cardId?: string
  /** The cards that a filter offers. */
  cards?: readonly Card[]
}) {
  const environment = useEnvironment()
  const list = useList(
    transactionList,
    (search) => readQuery('listTransactions', environment, cardAccountId, { ...search, ...(cardId && { cardId }) }),
    { what: 'The transactions', pageSize: 20 },
  )
  const { params, change, filter, data } = list
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
        {cardId === undefined && (
          <span className="ml-auto flex flex-wrap justify-end gap-2">
            <ExportButton read="listTransactions" ids={[cardAccountId]} search={list.search} />
          </span>
        )}
      </div>
      <ListFilters
        list={list}
        find={
          cardId === undefined && (
            <FilterText
              label="Find"
              placeholder="ID or external ID"
              maxLength={300}
              {...filter('find')}
              problem={findProblem}
            />
          )
        }
      >
        <FilterSelect label="Status" {...filter('status')} options={statusOptions} />
        <FilterMenu label="Intent" {...filter('intent')} options={intentOptions} />
        {cards !== undefined && cards.length > 1 && (
          <FilterSelect
            label="Card"
            {...filter('cardId')}
            options={cards.map((card) => ({ value: card.id, label: cardOption(card) }))}
          />
        )}
        <ServiceDays params={params} onChange={change} />
      </ListFilters>
      <ListTable
        list={list}
        noun="transaction"
        unmatched={
          params.find === null
            ? 'There may be others without them.'
            : 'IDs and external IDs match only in full, on this account.'
        }
        tableId={cardId === undefined ? 'account-transactions' : 'card-transactions'}
        caption="Transactions"
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
