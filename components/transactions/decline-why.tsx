'use client'

import { Suspense } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { lazyPart } from '#components/ui/lazy-part.ts'
import { Popover } from '#components/ui/popover.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { routes } from '#lib/shared/routes.ts'

const DeclineInRow = lazyPart(() => import('./decline-panel.tsx').then((file) => file.DeclineInRow))

type Of = { cardAccountId: string; transactionId: string }

/** Within a row: opens why the charge was declined, which is read then. */
export function DeclineWhy(of: Of) {
  return (
    <Popover
      label="Why it was declined"
      trigger="Why?"
      variant="quiet"
      size="small"
      triggerClassName="h-6 px-1! -ml-1"
      className="w-[min(26rem,calc(100vw-1rem))] text-sm whitespace-normal"
    >
      {(close) => <Why {...of} onLeave={close} />}
    </Popover>
  )
}

function Why({ cardAccountId, transactionId, onLeave }: Of & { onLeave: () => void }) {
  const environment = useEnvironment()
  const query = useRead('readTransaction', cardAccountId, transactionId)
  return (
    <WhenRead query={query} what="Why it was declined" blocks={['h-40']}>
      {({ decline, transaction }) => (
        <div className="grid gap-3">
          {decline ? (
            <Suspense fallback={<Skeleton className="h-40" />}>
              <DeclineInRow decline={decline} transaction={transaction} onLeave={onLeave} />
            </Suspense>
          ) : (
            <p className="text-soft">What the records say about it couldn’t be read.</p>
          )}
          <TextLink href={routes.transaction(environment, cardAccountId, transactionId)}>Open transaction</TextLink>
        </div>
      )}
    </WhenRead>
  )
}
