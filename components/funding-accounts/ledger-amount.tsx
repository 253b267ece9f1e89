import { Amount } from '#components/ui/amount.tsx'
import type { AccountTransaction } from '#lib/contract/records.ts'
import { directionOf } from './ledger-labels.ts'

/** The amount of an entry with its sign, its word and its colour; what never reached the balance is struck out. */
export function LedgerAmount({ entry }: { entry: Pick<AccountTransaction, 'amount' | 'asset' | 'status'> }) {
  const { label, tone } = directionOf(entry.amount)
  const isVoid = entry.status === 'void'
  return (
    <span className="inline-flex items-baseline justify-end gap-1">
      <Amount
        amount={entry.amount}
        currency={entry.asset}
        isSigned
        tone={isVoid ? 'neutral' : tone}
        {...(isVoid ? { className: 'line-through decoration-faint' } : {})}
      />
      <span className="w-8 text-left text-2xs text-faint">{label}</span>
    </span>
  )
}
