'use client'

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { LiveState } from '#components/live/live-source.ts'
import { useLiveState } from '#components/live/live-state.ts'
import type { ServiceHealth } from '#lib/console/service-health.ts'
import { serviceHealthQuery } from '#lib/queries/health.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** The service's health in a word with a dot, in the top bar of every page. */
export function HealthMark({ environment }: { environment: Environment }) {
  const { data, error } = useQuery(serviceHealthQuery(environment))
  const [word, tone, meaning] = stateOf(data, error, useLiveState())
  return (
    <output title={meaning} className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden="true" className={clsx('size-2 rounded-full', tone)} />
      <span className="sr-only">Service: </span>
      <span className="max-sm:sr-only">{word}</span>
    </output>
  )
}

function stateOf(
  health: ServiceHealth | undefined,
  error: Error | null,
  live: LiveState,
): [word: string, tone: string, meaning: string] {
  if (error) return ['No connection', 'bg-bad', 'The console itself does not answer']
  if (!health) return ['Checking', 'bg-line', 'Whether the service answers is being asked']
  if (!health.connected) return ['Not connected', 'bg-edge', 'No service is configured for this environment']
  if (health.unreachableSince !== null) {
    return ['Service down', 'bg-bad', 'The service does not answer; what is shown is the last that was read']
  }
  return liveWords[live]
}

/** The service answers: what the page hears of changes by itself. */
const liveWords: Record<LiveState, [word: string, tone: string, meaning: string]> = {
  connecting: ['Live', 'bg-good', 'The service answers'],
  live: ['Live', 'bg-good', 'The service answers, and changes appear as they happen'],
  reconnecting: [
    'Reconnecting',
    'bg-warn',
    'The service answers; changes appear every few seconds until the page is live again',
  ],
  'signed-out': ['Signed out', 'bg-bad', 'The session has ended; sign in again'],
}
