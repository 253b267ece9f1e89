import { ArrowRight } from 'lucide-react'
import { Amount } from '#components/ui/amount.tsx'
import { Time } from '#components/ui/time.tsx'
import type { FeeBalance } from '#lib/console/fees/shapes.ts'
import { compareAmounts, exactSum } from '#lib/shared/exact-sum.ts'
import { turned } from './fee-labels.ts'

/** The account's balance as it was read before and after a waiver. */
export function BalanceChange({
  before,
  after,
  change,
}: {
  before: FeeBalance | null
  after: FeeBalance | null
  change: string | null
}) {
  if (after === null || after.balance === null) {
    return <p className="mt-1">The account’s balance could not be read back; its page shows it.</p>
  }
  const wasKnown = before?.balance !== undefined && before.balance !== null && before.currency === after.currency
  return (
    <div className="mt-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span>Balance</span>
        {wasKnown && (
          <>
            <Amount amount={before.balance} currency={before.currency} />
            <ArrowRight aria-hidden="true" className="size-3.5 self-center" />
            <span className="sr-only">is now</span>
          </>
        )}
        <strong>
          <Amount amount={after.balance} currency={after.currency} />
        </strong>
        <span className="text-xs">
          as of <Time instant={after.asOf} format="time-seconds" isZoneShown />
        </span>
      </p>
      {wasKnown && change !== null && isOther(before.balance, after.balance, change) && (
        <p className="text-xs">Other entries changed the balance in between, too.</p>
      )}
    </div>
  )
}

function isOther(before: string | null, after: string, change: string): boolean {
  return before !== null && compareAmounts(exactSum([before, turned(change)]), after) !== 0
}
