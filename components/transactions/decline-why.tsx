'use client'

import { Suspense } from 'react'
import { lazyPart } from '#components/ui/lazy-part.ts'
import { Popover } from '#components/ui/popover.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'

const DeclineRead = lazyPart(() => import('./decline-in-row.tsx').then((file) => file.DeclineRead))

/** Within a row: opens why the charge was declined, which is read then. */
export function DeclineWhy(of: { cardAccountId: string; transactionId: string }) {
  return (
    <Popover
      label="Why it was declined"
      trigger="Why?"
      variant="quiet"
      size="small"
      triggerClassName="h-6 px-1! -ml-1"
      className="w-[min(26rem,calc(100vw-1rem))] text-sm whitespace-normal"
    >
      {(close) => (
        <Suspense fallback={<Skeleton className="h-40" />}>
          <DeclineRead {...of} onLeave={close} />
        </Suspense>
      )}
    </Popover>
  )
}
