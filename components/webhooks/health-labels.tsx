import { type LucideIcon, CircleAlert, CircleCheck, CircleHelp, CirclePause, CircleX, Hourglass } from 'lucide-react'
import { findEntry } from '#components/ui/code-entry.ts'
import { durationText } from '#components/ui/time-format.ts'
import { Time } from '#components/ui/time.tsx'
import type { Tone } from '#components/ui/tone.ts'
import type { WebhookHealth, Estimate } from '#lib/console/webhooks/types.ts'
import { secondMs } from '#lib/shared/time.ts'
import { hasFirstPingFailed } from './first-ping.tsx'

type HealthLabels = { label: string; tone: Tone; icon: LucideIcon; meaning: string; todo: string }

/** Labels of a webhook whose statistics cannot be read: the last reading is shown with its age, never as the state. */
const unreadableLabels: HealthLabels = {
  label: 'Statistics unreadable',
  tone: 'warn',
  icon: CircleHelp,
  meaning: 'Whether deliveries succeed is not known.',
  todo: 'They are read again every 15 seconds.',
}

const onlyOk = 'Only HTTP 200 within 15 seconds counts, and redirects are not followed.'

/** Labels by the state of a webhook's statistics; `created` is a webhook before its first ping. */
export const healthStates = {
  created: {
    label: 'Created',
    tone: 'info',
    icon: Hourglass,
    meaning: 'Its first ping is still to come.',
    todo: 'Wait a moment. Deliveries start when the endpoint returns 200 for a ping.',
  },
  healthy: {
    label: 'Healthy',
    tone: 'good',
    icon: CircleCheck,
    meaning: 'Deliveries succeed.',
    todo: 'Nothing to do.',
  },
  unhealthy: {
    label: 'Unhealthy',
    tone: 'warn',
    icon: CircleAlert,
    meaning: 'A delivery failed and is being retried. Later events wait behind it, in their order.',
    todo: `Check the endpoint. ${onlyOk} It recovers by itself with the next success; when the retries are used up, it is suspended.`,
  },
  suspended: {
    label: 'Suspended',
    tone: 'bad',
    icon: CirclePause,
    meaning:
      'The retries are used up and deliveries have stopped. The card service pings every 5 minutes for 24 hours, and the first 200 resumes delivery, in order.',
    todo: `Make the endpoint respond now. ${onlyOk} Without that the webhook is deleted, and its queue with it.`,
  },
  deleted: {
    label: 'Deleted',
    tone: 'neutral',
    icon: CircleX,
    meaning: 'Nothing is delivered to it any more.',
    todo: 'Create it again if its events are still needed.',
  },
} satisfies Record<string, HealthLabels>

/** The label of a webhook's state, what it means and what to do. An unknown state is shown as it is. */
export function healthLabels(webhook: WebhookHealth): HealthLabels {
  const { state, status, level, isRemovedHere, unreadable, lastSuccessAtMs } = webhook
  if (state === 'deleted') return { ...healthStates.deleted, ...removedLabels(level, isRemovedHere) }
  if (unreadable !== null) return unreadableLabels
  if (state === 'unhealthy' && hasFirstPingFailed(webhook)) {
    return { ...healthStates.unhealthy, meaning: 'Its first ping failed and is being retried. Events wait behind it.' }
  }
  const isNew = state === 'healthy' && status === 'created' && lastSuccessAtMs === null
  return (
    findEntry(healthStates, isNew ? 'created' : state) ?? {
      label: state,
      tone: 'neutral',
      icon: CircleHelp,
      meaning: 'The card service sent an unknown state.',
      todo: 'Ask its operator what it means.',
    }
  )
}

function removedLabels(level: WebhookHealth['level'], isRemovedHere: boolean): Partial<HealthLabels> {
  if (isRemovedHere) return { label: 'Removed', meaning: 'It was removed from this console, with its queue.' }
  if (level !== 'deleted') return {}
  return { tone: 'bad', meaning: 'It was deleted while its endpoint failed, and its queue with it.' }
}

/** How long ago an instant was; at most, where no more is known than its bounds. */
export function lengthText({ atMs, earliestMs, basis }: Estimate, nowMs: number): string {
  return basis === 'bounds' ? `at most ${durationText(nowMs - earliestMs)}` : durationText(nowMs - atMs)
}

/** How the beginning of a state is known: reported, noticed with its margin, or estimated between two bounds. */
export function EstimateText({ estimate, isMoment = false }: { estimate: Estimate | null; isMoment?: boolean }) {
  if (estimate === null) return <>since before it was watched</>
  const { atMs, earliestMs, latestMs, basis } = estimate
  if (basis === 'service') {
    return (
      <>
        {isMoment ? 'at' : 'since'} <Time instant={atMs} />
      </>
    )
  }
  if (basis === 'polls') {
    const marginMs = Math.max(secondMs, Math.round((latestMs - earliestMs) / 2))
    return (
      <>
        noticed at <Time instant={latestMs} format="time-seconds" />, ±{durationText(marginMs)}
      </>
    )
  }
  return (
    <>
      {isMoment ? 'between' : 'began between'} <Time instant={earliestMs} /> and <Time instant={latestMs} />
    </>
  )
}
