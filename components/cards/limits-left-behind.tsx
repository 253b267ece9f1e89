import { amountText } from '#components/ui/amount.tsx'
import { Callout } from '#components/ui/callout.tsx'
import type { Card } from '#lib/contract/records.ts'
import { boundLimits } from './card-usage.ts'

/** Names the limits of a card that its replacement does not have: the interface has no endpoint that sets them. */
export function LimitsLeftBehind({ card, currency }: { card: Card; currency: string | null }) {
  const limits = boundLimits(card)
  if (limits.length === 0) return null
  return (
    <Callout tone="warn" title="The new card won’t have these limits.">
      <ul className="grid gap-x-6 sm:grid-cols-2">
        {limits.map(({ label, limit }) => (
          <li key={label} className="flex justify-between gap-x-3">
            {label} <span className="font-medium tabular-nums">{amountText(limit, currency)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-1">Card limits can’t be set here. Ask the card service’s operator to set them.</p>
    </Callout>
  )
}
