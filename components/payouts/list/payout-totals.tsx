import { amountText } from '#components/ui/amount-text.ts'
import { Amount } from '#components/ui/amount.tsx'
import type { PayoutList, PayoutTotal } from '#lib/console/payouts/shapes.ts'
import { negated } from '../payout-labels.ts'
import { payoutSums, type SumNote } from './payout-sums.ts'

/** What all matching payouts come to, on every page, per currency: what was given back is shown apart. */
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
      {totals.map((total) => (
        <CurrencySum key={total.currency ?? ''} total={total} isSource={isSource} />
      ))}
    </span>
  )
}

function CurrencySum({ total, isSource }: { total: PayoutTotal; isSource: boolean }) {
  const { currency, excluded } = total
  const { counted, notes } = payoutSums(total, isSource ? 'source' : 'destination')
  const asides = [
    ...notes.map((note) => noteText(note, currency)),
    ...(excluded > 0 ? [`excludes ${excluded} without an amount`] : []),
  ]
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1">
      <Amount amount={isSource ? negated(counted) : counted} currency={currency} isSigned />
      {asides.length > 0 && <span className="text-2xs text-faint">({asides.join('; ')})</span>}
    </span>
  )
}

/** `76,150.00 HKD given back, not counted`. */
function noteText({ label, amount, isCounted }: SumNote, currency: string | null): string {
  return `${amountText(amount, currency)} ${label}, ${isCounted ? 'counted' : 'not counted'}`
}
