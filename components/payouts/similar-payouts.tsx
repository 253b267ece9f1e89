'use client'

import { useEnvironment } from '#components/environment/use-environment.ts'
import { amountText } from '#components/ui/amount.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import { similarId, type SimilarPayout } from '#lib/console/payouts/types.ts'
import { routes } from '#lib/shared/routes.ts'

/** Noun of an earlier payout by its state. */
const states: Record<SimilarPayout['state'], string> = {
  unsettled: 'sent, outcome not known',
  waiting: 'waits for approval',
  approved: 'approved, not sent yet',
  made: 'made',
}

/** The worst of them is named: one whose outcome is not known, then one that was made, then one that is approved, then one that waits. */
function warningTitle(similar: readonly SimilarPayout[]): string {
  const states = new Set(similar.map(({ state }) => state))
  if (states.has('unsettled')) return 'This may pay twice.'
  if (states.has('made')) return 'A payout of this amount to this beneficiary was made within 24 hours.'
  if (states.has('approved')) return 'A payout of this amount to this beneficiary is approved, and not sent yet.'
  return 'A payout of this amount to this beneficiary waits for approval.'
}

/** Warns of earlier payouts of the same amount to the same beneficiary. Nothing where there is none. */
export function SimilarPayouts({ similar }: { similar: readonly SimilarPayout[] }) {
  const environment = useEnvironment()
  if (similar.length === 0) return null
  const similarPayoutHref = ({ state, payoutId, operationId }: SimilarPayout) => {
    if (payoutId !== null) return routes.payout(environment, payoutId)
    const isOfApproval = state === 'waiting' || state === 'approved'
    return (isOfApproval ? routes.approval : routes.operation)(environment, operationId ?? '')
  }
  const isOpen = similar.some(({ state }) => state === 'unsettled')
  return (
    <Callout tone={isOpen ? 'bad' : 'warn'} title={warningTitle(similar)}>
      {isOpen && 'A payout of this amount to this beneficiary was sent, and its outcome is not known.'}
      <ul className="mt-1">
        {similar.map((one) => (
          <li key={similarId(one)} className="flex flex-wrap items-baseline gap-x-2">
            <TextLink href={similarPayoutHref(one)} className="inline-block min-h-6 font-medium">
              {amountText(one.sourceAmount, one.sourceCurrency)} →{' '}
              {amountText(one.destinationAmount, one.destinationCurrency)}
            </TextLink>
            <span className="text-xs">
              <Time instant={one.at} />
              {one.by && ` by ${one.by}`}: {states[one.state]}
            </span>
          </li>
        ))}
      </ul>
    </Callout>
  )
}
