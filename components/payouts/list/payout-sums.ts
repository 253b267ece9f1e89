import type { PayoutRecord, PayoutTotal } from '#lib/console/payouts/shapes.ts'
import { exactSum, partialSum } from '#lib/shared/exact-sum.ts'
import { payoutStatusEntry } from '../payout-labels.ts'

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
