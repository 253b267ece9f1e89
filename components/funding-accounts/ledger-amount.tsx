import { Amount } from '#components/ui/amount.tsx'
import type { AccountTransaction } from '#lib/contract/records.ts'
import { compareAmounts } from '#lib/shared/exact-sum.ts'

/** The amount of an entry with its sign and its colour; what never reached the balance is struck out. */
export function LedgerAmount({ entry }: { entry: Pick<AccountTransaction, 'amount' | 'asset' | 'status'> }) {
  const isVoid = entry.status === 'void'
  const isIncoming = entry.amount !== null && compareAmounts(entry.amount, 0) > 0
  return (
    <Amount
      amount={entry.amount}
      currency={entry.asset}
      isSigned
      tone={isIncoming && !isVoid ? 'good' : 'neutral'}
      {...(isVoid ? { className: 'line-through decoration-faint' } : {})}
    />
  )
}
