'use client'

import { unavailability } from '#components/cards/card-action-table.ts'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { routes } from '#lib/shared/routes.ts'
import { type Declined, DeclineExplained } from './decline-panel.tsx'

/** What `DeclineWhy` shows: why the charge was declined, read now, and the way to the transaction. */
export function DeclineRead({
  cardAccountId,
  transactionId,
  onLeave,
}: {
  cardAccountId: string
  transactionId: string
  /** Called where a button leads away from the row. */
  onLeave: () => void
}) {
  const environment = useEnvironment()
  const query = useRead('readTransaction', cardAccountId, transactionId)
  return (
    <WhenRead query={query} what="Why it was declined" blocks={['h-40']}>
      {({ decline, transaction }) => (
        <div className="grid gap-3">
          {decline ? (
            <DeclineInRow decline={decline} transaction={transaction} onLeave={onLeave} />
          ) : (
            <p className="text-soft">What the records say about it couldn’t be read.</p>
          )}
          <TextLink href={routes.transaction(environment, cardAccountId, transactionId)}>Open transaction</TextLink>
        </div>
      )}
    </WhenRead>
  )
}

/** The same within a row, whose buttons lead to the card's page, where the dialog opens. A limit is set on the transaction's page. */
function DeclineInRow({ decline, transaction, onLeave }: Declined & { onLeave: () => void }) {
  const environment = useEnvironment()
  const person = usePermissions()
  const { card, explanation } = decline
  const areOfCard =
    explanation.change.kind === 'steps' && explanation.change.steps.every(({ kind }) => kind === 'card-action')
  if (!card || !areOfCard) return <DeclineExplained decline={decline} transaction={transaction} />
  return (
    <DeclineExplained decline={decline} transaction={transaction}>
      {(steps) => (
        <div className="mt-2 flex flex-wrap gap-2">
          {steps.map(
            ({ step, label }) =>
              step.kind === 'card-action' && (
                <ButtonLink
                  key={step.action}
                  href={routes.card(environment, decline.account.id, card.id, { action: step.action })}
                  onClick={onLeave}
                  unavailable={unavailability(step.action, card.status, person)}
                >
                  {label}
                </ButtonLink>
              ),
          )}
        </div>
      )}
    </DeclineExplained>
  )
}
