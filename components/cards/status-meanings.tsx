import { ChevronRight } from 'lucide-react'
import { cardStatuses } from '#lib/contract/card-actions.ts'
import { CardStatusBadge } from './card-status-badge.tsx'
import { cardStatusEntry, lockAndSuspend } from './card-status.ts'

/** The meaning of each status, folded away until it is opened. */
export function StatusMeanings() {
  return (
    <details className="group/meanings">
      <summary className="inline-flex min-h-6 items-center gap-1 rounded-chip text-xs text-soft hover:text-ink">
        <ChevronRight aria-hidden="true" className="size-3.5 transition-transform group-open/meanings:rotate-90" />
        What each status means
      </summary>
      <dl className="mt-3 grid gap-x-6 gap-y-2.5 @xl:grid-cols-2">
        {cardStatuses.map((status) => (
          <div key={status} className="grid justify-items-start gap-1">
            <dt>
              <CardStatusBadge status={status} />
            </dt>
            <dd className="text-xs text-soft">{cardStatusEntry(status).meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-xs text-soft">{lockAndSuspend}</p>
    </details>
  )
}
