import { amountText } from '#components/ui/amount-text.ts'
import { Amount } from '#components/ui/amount.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { compareAmounts } from '#lib/shared/exact-sum.ts'
import { disputeStatusEntry, transactionStatusEntry } from './transaction-labels.ts'
import { effectText, foreignAmount } from './transaction-meanings.ts'

/** The amount, what it does to the balance, and what its status and dispute mean. */
export function TransactionAmount({ transaction }: { transaction: CardAccountTransaction }) {
  const { amount, grossAmount, currency, entryType, status, disputeStatus } = transaction
  const hasNoEffect = status === 'declined' || status === 'void'
  const foreign = foreignAmount(transaction)
  const effect = effectText(transaction)
  const statusEntry = transactionStatusEntry(status)
  return (
    <Panel title="Amount">
      <Amount
        amount={amount}
        currency={currency}
        entryType={entryType}
        size="display"
        {...(hasNoEffect ? { tone: 'neutral', className: 'line-through decoration-faint' } : {})}
      />
      {foreign !== null && <p className="text-soft">{foreign} at the merchant</p>}
      {grossAmount !== null && amount !== null && compareAmounts(grossAmount, amount) !== 0 && (
        <p className="text-soft">of a purchase of {amountText(grossAmount, currency)} in all</p>
      )}
      {effect && <p className="mt-2">{effect}</p>}
      <ul className="mt-2 grid gap-0.5 border-t pt-2 text-xs text-soft">
        <li>
          <span className="font-medium text-ink">{status ? statusEntry.label : 'Status'}:</span> {statusEntry.meaning}
        </li>
        {disputeStatus && (
          <li>
            <span className="font-medium text-ink">{disputeStatusEntry(disputeStatus).label}:</span>{' '}
            {disputeStatusEntry(disputeStatus).meaning}
          </li>
        )}
      </ul>
    </Panel>
  )
}
