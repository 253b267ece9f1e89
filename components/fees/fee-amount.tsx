import { Amount } from '#components/ui/amount.tsx'
import type { FeeRow } from '#lib/console/fees.ts'

/** A fee's amount with its direction in sign, word and colour; what is void has no effect and is crossed out. */
export function FeeAmount({ row, size }: { row: FeeRow; size?: 'base' | 'large' }) {
  const { fee, change } = row
  const isVoid = fee.status === 'void'
  return (
    <Amount
      amount={change}
      currency={fee.currency}
      entryType={entryTypeOf(row)}
      isWordShown
      isSigned
      {...(size ? { size } : {})}
      {...(isVoid ? { tone: 'neutral' as const, className: 'line-through decoration-faint' } : {})}
    />
  )
}

/** An entry of the account ledger has a sign and no entry type; the words of one are not those of the other. */
function entryTypeOf({ fee: { transaction } }: FeeRow): string | null {
  return transaction && 'entryType' in transaction ? transaction.entryType : null
}
