'use client'

import { ChevronDown } from 'lucide-react'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { lazy, Suspense, useId } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import type { Environment } from '#lib/shared/routes.ts'

const BalanceBreakdown = lazy(() =>
  import('./balance-breakdown.tsx').then(({ BalanceBreakdown }) => ({ default: BalanceBreakdown })),
)

/** Opens, in place, the entries behind an account's figures. They are read when it opens; the URL keeps it open. */
export function BalanceExplanation({
  environment,
  cardAccountId,
}: {
  environment: Environment
  cardAccountId: string
}) {
  const id = useId()
  const [open, setOpen] = useQueryState('explain', parseAsStringLiteral(['balance'] as const))
  const isOpen = open === 'balance'
  return (
    <div className="mt-2">
      <Button
        size="small"
        aria-expanded={isOpen}
        {...(isOpen ? { 'aria-controls': id } : {})}
        icon={<ChevronDown aria-hidden="true" className={isOpen ? 'rotate-180' : undefined} />}
        onClick={() => void setOpen(isOpen ? null : 'balance')}
      >
        {isOpen ? 'Hide breakdown' : 'Show breakdown'}
      </Button>
      {isOpen && (
        <div id={id} className="mt-3 border-t pt-3">
          <Suspense fallback={<BreakdownSkeleton />}>
            <BalanceBreakdown
              environment={environment}
              cardAccountId={cardAccountId}
              skeleton={<BreakdownSkeleton />}
            />
          </Suspense>
        </div>
      )}
    </div>
  )
}

function BreakdownSkeleton() {
  return (
    <div className="grid gap-3">
      <Loading what="the explanation of the balance" />
      <Skeleton className="h-5 w-full max-w-xl" />
      <Skeleton className="h-64 w-full rounded-panel" />
    </div>
  )
}
