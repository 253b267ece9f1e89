import { pingEveryMs, pingsBeforeDeletion, retryGapsMs } from '#lib/contract/webhook-retries.ts'
import type { WebhookStatus } from '#lib/contract/webhooks.ts'
import { minuteMs } from '#lib/shared/time.ts'

/** Later than this, no process was there to make the attempt: the schedule goes on from now, without a burst. */
const longestDelayMs = minuteMs

/** The state of a webhook. `attempts` counts failures in a row: of the message at the head, or of pings in `error`. */
export type DeliveryState = {
  status: WebhookStatus
  attempts: number
  /** When the next attempt is due by the sandbox clock; null: as soon as there is a message. */
  dueAt: Date | null
}

/** A suspended webhook gets pings, every other one the messages of its queue. */
export function isPinged({ status }: Pick<DeliveryState, 'status'>): boolean {
  return status === 'error'
}

/**
 * The instant that an attempt counts for: the one it was due at, or now where it is due immediately or was due long ago. A
 * move of the clock covers everything since `movedFrom`: what was due from then on is on time, however far the clock is by now.
 */
export function attemptedAt(dueAt: Date | null, now: Date, movedFrom: Date | null = null): Date {
  if (!dueAt) return now
  const isOnTime = now.getTime() - dueAt.getTime() <= longestDelayMs || (movedFrom !== null && dueAt >= movedFrom)
  return isOnTime ? dueAt : now
}

/** The state of a webhook after an attempt. The failure of the eighth suspends it, that of the 288th ping removes it. */
export function afterAttempt(state: DeliveryState, attempt: { succeeded: boolean; at: Date }): DeliveryState {
  if (attempt.succeeded) return { status: 'healthy', attempts: 0, dueAt: null }
  const attempts = state.attempts + 1
  const waiting = (status: WebhookStatus, failures: number, gapMs: number): DeliveryState => ({
    status,
    attempts: failures,
    dueAt: new Date(attempt.at.getTime() + gapMs),
  })
  if (isPinged(state)) {
    return attempts < pingsBeforeDeletion
      ? waiting('error', attempts, pingEveryMs)
      : { status: 'removed', attempts, dueAt: null }
  }
  const gapMs = retryGapsMs[state.attempts]
  return gapMs === undefined ? waiting('error', 0, pingEveryMs) : waiting('unhealthy', attempts, gapMs)
}
