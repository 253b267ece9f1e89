import { Amount } from '#components/ui/amount.tsx'
import type { PayoutList, PayoutTotal } from '#lib/console/payouts/list.ts'
import { negated } from '../payout-words.ts'

/** What all matching payouts come to, on every page, per currency: those that were given back included. */
export function PayoutTotals({ totals, isFiltered }: { totals: PayoutList['totals']; isFiltered: boolean }) {
  if (totals.source.length === 0) return null
  return (
    <span className="grid gap-y-0.5">
      <Side label={isFiltered ? 'Filtered, from accounts' : 'All, from accounts'} totals={totals.source} isSource />
      <Side label={isFiltered ? 'Filtered, to beneficiaries' : 'All, to beneficiaries'} totals={totals.destination} />
    </span>
  )
}

function Side({
  label,
  totals,
  isSource = false,
}: {
  label: string
  totals: readonly PayoutTotal[]
  isSource?: boolean
}) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      <span className="text-2xs text-faint">{label}</span>
      {totals.map(({ currency, amount, unreadable }) => (
        <span key={currency} className="inline-flex items-baseline gap-x-1">
          <Amount amount={isSource ? negated(amount) : amount} currency={currency} isSigned />
          {unreadable > 0 && <span className="text-2xs text-faint">(without {unreadable} that cannot be read)</span>}
        </span>
      ))}
    </span>
  )
}
