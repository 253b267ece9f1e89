'use client'

import { useQuery } from '@tanstack/react-query'
import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { serviceHealthQuery } from '#lib/queries/health.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** Stands on every page while the service does not answer: since when, what that means, and that nothing has to be done. */
export function ServiceNotice({ environment }: { environment: Environment }) {
  const { data: health, error } = useQuery(serviceHealthQuery(environment))
  if (error && !health) return null
  if (error) {
    return (
      <Callout tone="bad" title="The console does not answer." isAnnounced>
        What is shown stays as it was. The page asks again by itself every few seconds.
      </Callout>
    )
  }
  if (!health?.connected || health.unreachableSince === null) return null
  const { unreachableSince, lastAnswerAt, lastProblem } = health
  return (
    <Callout tone="warn" title="The service does not answer." isAnnounced>
      Since <Time instant={unreachableSince} format="time-seconds" isZoneShown /> (
      <RelativeTime instant={unreachableSince} />
      ). What is shown is the last that was read
      {lastAnswerAt && (
        <>
          ; the last answer came at <Time instant={lastAnswerAt} format="time-seconds" />
        </>
      )}
      . It refreshes by itself once the service is back. An action taken now may stay without an answer; it is then
      settled by itself, once.
      {lastProblem && (lastProblem.status || lastProblem.code || lastProblem.requestId) && (
        <span className="ml-1 inline-flex flex-wrap items-center gap-x-1 text-xs">
          Last problem: {[lastProblem.status, lastProblem.code].filter(Boolean).join(' ') || 'no answer'}
          {lastProblem.requestId && (
            <>
              , request <IdText id={lastProblem.requestId} label="request id" />
            </>
          )}
        </span>
      )}
    </Callout>
  )
}
