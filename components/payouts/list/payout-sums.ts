import type { PayoutTotal } from '#lib/console/payouts/shapes.ts'
import { exactSum, partialSum } from '#lib/shared/exact-sum.ts'
import { isKnownPayoutStatus, payoutStatusEntry } from '../payout-labels.ts'

/** A part of a sum that is shown apart: `given back` is not counted, `outcome not known` is. */
export type SumNote = { label: string; amount: string | null; isCounted: boolean }

/**
 * What payouts of one currency come to: what left or is on its way, unknown outcomes included. Money that
 * was given back never moved: it is shown apart.
 */
export function payoutSums(
  { statuses }: Pick<PayoutTotal, 'statuses'>,
  side: 'source' | 'destination',
): { counted: string | null; notes: SumNote[] } {
  const isGivenBack = ({ status }: { status: string | null }) => payoutStatusEntry(status).isGivenBack
  const notes = new Map<string, SumNote>()
  for (const total of statuses) {
    const isCounted = !isGivenBack(total)
    if (isCounted && isKnownPayoutStatus(total.status)) continue
    const label = payoutStatusEntry(total.status)[side]
    const before = notes.get(label)?.amount ?? null
    const parts = [before, total.amount].filter((amount) => amount !== null)
    notes.set(label, { label, isCounted, amount: parts.length === 0 ? null : exactSum(parts) })
  }
  return {
    counted: partialSum(statuses.filter((total) => !isGivenBack(total)).map(({ amount }) => amount)).sum,
    notes: [...notes.values()].filter(({ amount }) => amount !== '0'),
  }
}
