'use client'

import { clsx } from 'clsx'
import { useLiveState } from '#components/live/live-follower.tsx'
import type { LiveState } from '#components/live/live-source.ts'
import type { Tone } from '#components/ui/tone.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { stateText, type StateText } from './service-state.ts'
import { useRead } from './use-environment.ts'

/**
 * The console's background work calls the service every few seconds: after this long without a response, data are old.
 */
const staleMs = 60_000

/**
 * The status in the top bar. It is "Live" only while the service works and changes reach the page as they happen. A single
 * endpoint that fails matters less than updates that no longer arrive.
 */
export function toHealthMark(
  health: ReadResult<'readServiceHealth'> | undefined,
  { error, live }: { error: Error | null; live: LiveState },
): StateText {
  if (error) return { label: 'No connection', tone: 'bad', meaning: 'Carddesk doesn’t respond.' }
  if (!health) return { label: 'Checking', tone: 'neutral', meaning: 'Reading the status of the card service.' }
  if (!health.connected) {
    return { label: 'Not connected', tone: 'neutral', meaning: 'No service is configured for this environment.' }
  }
  const text = stateText(health)
  if (health.state !== 'online') return text
  const isStale = health.lastResponseAt !== null && Date.parse(health.now) - Date.parse(health.lastResponseAt) > staleMs
  if (isStale)
    return { label: 'Delayed', tone: 'warn', meaning: 'No response from the card service for over a minute.' }
  if (live === 'live' && text.tone !== 'good') return text
  return liveTexts[live] ?? text
}

const liveTexts: Partial<Record<LiveState, StateText>> = {
  live: { label: 'Live', tone: 'good', meaning: 'The card service responds, and changes appear as they happen.' },
  reconnecting: {
    label: 'Polling',
    tone: 'warn',
    meaning: 'Live updates are off. Changes appear every few seconds until they’re back.',
  },
  'signed-out': { label: 'Signed out', tone: 'bad', meaning: 'The session has ended. Sign in again.' },
}

const dots: Record<Tone, string> = {
  neutral: 'bg-edge',
  accent: 'bg-accent',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
}

/** The service's status with a dot, in the top bar of every page. */
export function HealthMark() {
  const { data, error } = useRead('readServiceHealth')
  const live = useLiveState()
  const { label, tone, meaning } = toHealthMark(data, { error, live })
  return (
    <output title={meaning} data-live={live} className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden="true" className={clsx('size-2 rounded-full', dots[tone])} />
      <span className="sr-only">Service: </span>
      <span className="max-sm:sr-only">{label}</span>
    </output>
  )
}
