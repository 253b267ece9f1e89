import type { DataColumn } from '#components/data-table/data-column.ts'
import { Amount } from '#components/ui/amount.tsx'
import { Time } from '#components/ui/time.tsx'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { DisputeBadge } from './dispute-badge.tsx'
import { TransactionStatusBadge } from './transaction-status-badge.tsx'
import { declineReason, intentWord } from './transaction-words.ts'

type Column = DataColumn<CardAccountTransaction>

function What({ transaction }: { transaction: CardAccountTransaction }) {
  const { merchant, description, intent } = transaction
  return (
    <span className="line-clamp-2 max-w-120 min-w-32 font-medium wrap-anywhere">
      {merchant?.name || description || intentWord(intent)}
    </span>
  )
}

function Below({ transaction }: { transaction: CardAccountTransaction }) {
  const { merchant, intent, authorization } = transaction
  const reason = declineReason(transaction)
  const kind = authorization?.type === 'ATM' ? 'Cash' : intentWord(intent)
  return (
    <span className="block max-w-120 wrap-anywhere">
      <span className="flex flex-wrap items-center gap-1 pb-1 @min-[40rem]:hidden">
        <TransactionStatusBadge status={transaction.status} />
        {transaction.disputeStatus !== null && <DisputeBadge status={transaction.disputeStatus} />}
        <Time instant={transaction.createdAt} />
      </span>
      {[kind, merchant?.category, merchant?.country].filter(Boolean).join(' · ')}
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
        isWordShown
        {...(hasNoEffect ? { tone: 'neutral', className: 'line-through decoration-faint' } : {})}
      />
      <Foreign transaction={transaction} />
    </>
  )
}

/** What the merchant asked for, where it was in another currency. */
function Foreign({ transaction }: { transaction: CardAccountTransaction }) {
  const { authorization, currency } = transaction
  if (!authorization || authorization.currency === currency) return null
  return (
    <span className="block text-2xs text-faint">
      {formatAmount(authorization.amount, authorization.currency)} {authorization.currency} at the merchant
    </span>
  )
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
    cell: ({ cardLast4 }) =>
      cardLast4 ? <span className="font-mono text-soft">•{cardLast4}</span> : <span className="text-faint">–</span>,
  },
  status: {
    id: 'status',
    header: 'Status',
    priority: 2,
    cell: ({ status, disputeStatus }) => (
      <span className="flex flex-wrap gap-1">
        <TransactionStatusBadge status={status} />
        {disputeStatus !== null && <DisputeBadge status={disputeStatus} />}
      </span>
    ),
  },
  amount: {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    isHideable: false,
    cell: (transaction) => <Money transaction={transaction} />,
  },
}

/** The columns of a list of transactions; on a card's own page the card is left out. */
export function transactionColumns(isOfOneCard: boolean): Column[] {
  const { what, when, card, status, amount } = columns
  return isOfOneCard ? [what, when, status, amount] : [what, when, card, status, amount]
}
