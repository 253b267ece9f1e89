import { Fragment } from 'react'
import { Amount } from '#components/ui/amount.tsx'
import { count } from '#components/ui/count.ts'
import type { PayoutList, PayoutRecord, PayoutTotal } from '#lib/console/payouts/shapes.ts'
import { exactSum, partialSum } from '#lib/shared/exact-sum.ts'
import { negated, payoutStatusEntry } from '../payout-labels.ts'

/**
 * What the payouts of the page come to, per currency; with more pages, also what all come to. Amounts that are struck out were given
 * back, and are not counted.
 */
export function PayoutTotals({
  payouts,
  matching,
  totals,
}: {
  payouts: readonly PayoutRecord[]
  matching: number
  totals: PayoutList['totals']
}) {
  if (payouts.length === 0) return null
  const sides = [
    { label: 'This page', source: pageTotals(payouts, 'source'), destination: pageTotals(payouts, 'destination') },
    ...(matching > payouts.length ? [{ label: `All ${count.format(matching)}`, ...totals }] : []),
  ]
  return (
    <span className="grid gap-y-0.5">
      {sides.map(({ label, source, destination }) => (
        <Fragment key={label}>
          <Side label={`${label}, from accounts`} totals={source} isSource />
          <Side label={`${label}, to beneficiaries`} totals={destination} />
        </Fragment>
      ))}
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
  const { counted } = payoutSums(total)
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1">
      <Amount amount={isSource ? negated(counted) : counted} currency={currency} isSigned />
      {excluded > 0 && <span className="text-2xs text-warn">excludes {excluded} without an amount</span>}
    </span>
  )
}

/**
 * What payouts of one currency come to: what left or is on its way, unknown outcomes included. Money that was given back never
 * moved.
 */
export function payoutSums({ statuses }: Pick<PayoutTotal, 'statuses'>): { counted: string | null } {
  const counted = statuses.filter(({ status }) => !payoutStatusEntry(status).isGivenBack)
  return { counted: partialSum(counted.map(({ amount }) => amount)).sum }
}

/** The sums of the payouts that a page shows, per currency, as the list has them of all that match. */
export function pageTotals(payouts: readonly PayoutRecord[], side: 'source' | 'destination'): PayoutTotal[] {
  const known = payouts.flatMap((payout) => {
    const currency = payout[`${side}Currency`]
    return currency === null ? [] : [{ currency, status: payout.status, amount: payout[`${side}Amount`] }]
  })
  return [...Map.groupBy(known, ({ currency }) => currency)].map(([currency, rows]) => ({
    currency,
    payouts: rows.length,
    statuses: [...Map.groupBy(rows, ({ status }) => status)].map(([status, those]) => {
      const amounts = those.flatMap(({ amount }) => (amount === null ? [] : [amount]))
      return { status, amount: amounts.length === 0 ? null : exactSum(amounts) }
    }),
    excluded: rows.filter(({ amount }) => amount === null).length,
  }))
}
