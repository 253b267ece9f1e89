import { HandCoins } from 'lucide-react'
import { useId } from 'react'
import { buttonStyle } from '#components/ui/button-style.ts'
import type { FeeRow } from '#lib/console/fees/shapes.ts'
import { feeLabel } from './fee-labels.ts'

/** Opens the waiver of a fee. On a void fee the same button stays, so that the focus can come back to it, and says why. */
export function WaiveButton({ row, size, onPress }: { row: FeeRow; size: 'small' | 'large'; onPress: () => void }) {
  const reasonId = useId()
  const isVoid = row.fee.status === 'void'
  return (
    <>
      <button
        type="button"
        aria-label={`Waive… ${feeLabel(row)}`}
        className={buttonStyle({ size, isUnavailable: isVoid })}
        {...(isVoid
          ? { 'aria-disabled': true, 'aria-describedby': reasonId }
          : { onClick: onPress, 'aria-haspopup': 'dialog' as const })}
      >
        <HandCoins aria-hidden="true" />
        Waive…
      </button>
      {isVoid && (
        <span id={reasonId} className="sr-only">
          This fee is void already.
        </span>
      )}
    </>
  )
}
