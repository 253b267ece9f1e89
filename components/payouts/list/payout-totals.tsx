import { Fragment } from 'react'
import { Amount } from '#components/ui/amount.tsx'
import { count } from '#components/ui/count.ts'
import type { PayoutList, PayoutRecord, PayoutTotal } from '#lib/console/payouts/types.ts'
import { negated, partialSum } from '#lib/contract/exact-sum.ts'
import { having } from '#lib/shared/provided.ts'
import { payoutStatusEntry } from '../payout-labels.ts'

/**
 * The totals of the page's payouts by currency; with more pages, also of all payouts. Returned amounts are struck
 * through and not counted.
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
  const counted = countedSum(total)
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1">
      <Amount amount={isSource ? counted && negated(counted) : counted} currency={currency} isSigned />
      {excluded > 0 && <span className="text-2xs text-warn">excludes {excluded} without an amount</span>}
    </span>
  )
}

/**
 * The total of payouts in one currency that were paid or are being paid, unknown outcomes included. Returned ones do
 * not count.
 */
export function countedSum({ statuses }: Pick<PayoutTotal, 'statuses'>): string | null {
  const counted = statuses.filter(({ status }) => !payoutStatusEntry(status).isReturned)
  return partialSum(counted.map(({ amount }) => amount)).sum
}

/** The sums of the payouts that a page shows, per currency, as the list has them of all that match. */
export function pageTotals(payouts: readonly PayoutRecord[], side: 'source' | 'destination'): PayoutTotal[] {
  const all = payouts.map((payout) => ({
    currency: payout[`${side}Currency`],
    status: payout.status,
    amount: payout[`${side}Amount`],
  }))
  return [...Map.groupBy(having(all, 'currency'), ({ currency }) => currency)].map(([currency, rows]) => ({
    currency,
    payouts: rows.length,
    statuses: [...Map.groupBy(rows, ({ status }) => status)].map(([status, those]) => ({
      status,
      amount: partialSum(those.map(({ amount }) => amount)).sum,
    })),
    excluded: partialSum(rows.map(({ amount }) => amount)).missing,
  }))
}
