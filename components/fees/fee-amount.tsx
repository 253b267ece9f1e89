import { Amount } from '#components/ui/amount.tsx'
import type { FeeRow } from '#lib/console/fees/shapes.ts'

/**
 * A fee's amount with its direction in sign, label and colour; a void fee has no effect and is struck through. Where
 * the effect on the balance is unknown, the amount is shown as sent, without a sign.
 */
export function FeeAmount({ row, size }: { row: FeeRow; size?: 'base' | 'large' }) {
  const { fee, change } = row
  const isVoid = fee.status === 'void'
  return (
    <Amount
      amount={change ?? fee.amount}
      currency={fee.currency}
      entryType={entryTypeOf(row)}
      isSigned={change !== null}
      {...(size ? { size } : {})}
      {...(isVoid ? { tone: 'neutral' as const, className: 'line-through decoration-faint' } : {})}
    />
  )
}

/** An entry of the account ledger has a sign and no entry type: undefined. Null: the direction was not provided. */
function entryTypeOf({ fee: { transaction } }: FeeRow): string | null | undefined {
  if (transaction && !('entryType' in transaction)) return undefined
  return transaction?.entryType ?? null
}
