import type { DataColumn } from '#components/data-table/data-column.ts'
import { Amount } from '#components/ui/amount.tsx'
import { CodeBadge } from '#components/ui/badge.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { Time } from '#components/ui/time.tsx'
import { countryLabel } from '#lib/contract/country-names.ts'
import { isUncounted } from '#lib/contract/terms.ts'
import { DeclineWhy } from './decline-why.tsx'
import {
  declineReason,
  disputeStatusEntry,
  entryTypeMeaning,
  intentLabel,
  type ListedTransaction,
  transactionStatusEntry,
  transactionTitle,
} from './transaction-labels.ts'
import { foreignAmount, isMadeWithCard } from './transaction-meanings.ts'

type Column = DataColumn<ListedTransaction>

function What({ transaction }: { transaction: ListedTransaction }) {
  return (
    <span className="line-clamp-2 max-w-120 min-w-32 font-medium wrap-anywhere">{transactionTitle(transaction)}</span>
  )
}

function Below({ transaction }: { transaction: ListedTransaction }) {
  const { id, cardAccountId, merchant, intent, authorization } = transaction
  const reason = declineReason(transaction)
  const kind = authorization?.type === 'ATM' ? 'Cash' : intent && intentLabel(intent)
  return (
    <span className="block max-w-120 wrap-anywhere">
      <span className="flex flex-wrap items-center gap-1 pb-1 @min-[40rem]:hidden">
        <CodeBadge code={transaction.status} toEntry={transactionStatusEntry} />
        {transaction.disputeStatus && <CodeBadge code={transaction.disputeStatus} toEntry={disputeStatusEntry} />}
        <Time instant={transaction.createdAt} format="short" />
      </span>
      {[kind, merchant?.category, merchant?.country && countryLabel(merchant.country)].filter(Boolean).join(' · ')}
      {reason && (
        <span className="block text-bad">
          {reason} {cardAccountId && <DeclineWhy cardAccountId={cardAccountId} transactionId={id} />}
        </span>
      )}
    </span>
  )
}

function Money({ transaction }: { transaction: ListedTransaction }) {
  const { amount, currency, entryType, status } = transaction
  return (
    <>
      <Amount amount={amount} currency={currency} entryType={entryType} isVoid={isUncounted(status)} />
      <Foreign transaction={transaction} />
    </>
  )
}

function Foreign({ transaction }: { transaction: ListedTransaction }) {
  const foreign = foreignAmount(transaction)
  return foreign === null ? null : <span className="block text-2xs text-faint">{foreign} requested</span>
}

/** The columns that every list of transactions has. */
export const transactionColumns: Record<'what' | 'when' | 'card' | 'status' | 'amount', Column> = {
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
    cell: ({ createdAt }) => <Time instant={createdAt} className="text-soft" />,
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
      <span className="flex flex-wrap gap-1 py-1">
        <CodeBadge code={status} toEntry={transactionStatusEntry} />
        {disputeStatus && <CodeBadge code={disputeStatus} toEntry={disputeStatusEntry} />}
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
