import { pingEveryMs, pingsBeforeDeletion, retryGapsMs } from '#lib/contract/webhook-retries.ts'
import { hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import type { AlertLevel, Estimate, Suspension, WatchedTransition } from './types.ts'

/** How long the pings of a suspended webhook last until it is deleted. */
const suspensionMs = pingsBeforeDeletion * pingEveryMs
/** From the first failure to the eighth, which suspends: an estimate, where another service keeps another schedule. */
const retriesMs = retryGapsMs.reduce((sum, gapMs) => sum + gapMs, 0)
const [firstRetryMs] = retryGapsMs

export type Watched = {
  /** The last reading of the statistics; null where there was none. */
  status: string | null
  queuedMessages: number | null
  lastSuccessAtMs: number | null
  lastFailureAtMs: number | null
  /** Oldest first. */
  transitions: readonly WatchedTransition[]
}

type HealthAssessment = {
  /** When the webhook got its present status; null where it had it before the first poll. */
  since: Estimate | null
  suspension: Suspension | null
  level: AlertLevel | null
}

/** The state of a webhook whose statistics could not be read: its last reading says nothing about now. */
export const statisticsUnreadable = 'statistics unreadable'

/**
 * The level of a webhook whose statistics could not be read. A suspension continues, and its deletion comes, in any
 * case.
 */
export function unreadableLevel(level: AlertLevel | null): AlertLevel {
  return level === null || level === 'unhealthy' ? 'unreadable' : level
}

/** The health of a webhook at an instant of the service's clock. */
export function assessHealth(watched: Watched, nowMs: number): HealthAssessment {
  const since = estimateSince(watched, nowMs)
  if (watched.status === 'suspended') {
    const suspension = toSuspension(watched, since ?? estimateBounds(watched, nowMs), nowMs)
    return { since, suspension, level: alertLevel(suspension.deletionDueMs - nowMs) }
  }
  const level = watched.status === 'unhealthy' ? 'unhealthy' : isLoss(watched) ? 'deleted' : null
  return { since, suspension: null, level }
}

function alertLevel(leftMs: number): AlertLevel {
  if (leftMs <= hourMs) return 'one-hour'
  return leftMs <= 6 * hourMs ? 'six-hours' : 'suspended'
}

/** The service deleted it because its pings failed; a webhook that was removed while well is no loss. */
function isLoss({ status, transitions }: Watched): boolean {
  const before = transitions.at(-1)?.statusBefore
  return status === 'deleted' && (before === 'suspended' || before === 'unhealthy')
}

function estimateSince(watched: Watched, nowMs: number): Estimate | null {
  const last = watched.transitions.findLast(({ statusAfter }) => statusAfter === watched.status)
  if (!last) return null
  if (watched.status === 'suspended') return suspendedSince(watched, last, nowMs)
  if (watched.status === 'unhealthy') return unhealthySince(watched, last, nowMs)
  if (last.notBeforeMs === null) return null
  if (watched.status === 'deleted') return deletedSince(watched, last, last.notBeforeMs)
  return between(last.notBeforeMs, last.readAtMs)
}

/**
 * The first failure is between the last good state (a poll or a success) and the last failure: the last failure is the
 * first only where no retry fits between them.
 */
function unhealthySince(watched: Watched, last: WatchedTransition, nowMs: number): Estimate | null {
  const { lastSuccessAtMs } = watched
  if (last.notBeforeMs === null && lastSuccessAtMs === null) return null
  const earliestMs = Math.max(last.notBeforeMs ?? 0, lastSuccessAtMs ?? 0)
  // It recovered between two polls: only the failures since then are known.
  const isRestarted = lastSuccessAtMs !== null && lastSuccessAtMs > last.readAtMs
  const failureMs = isRestarted ? watched.lastFailureAtMs : last.lastFailureAtMs
  const readAtMs = isRestarted ? nowMs : last.readAtMs
  if (failureMs === null || failureMs <= earliestMs - secondMs || failureMs > readAtMs) {
    return between(earliestMs, readAtMs)
  }
  return failureMs - earliestMs < firstRetryMs ? exactly(failureMs) : between(earliestMs, failureMs)
}

/**
 * A failure since the previous poll was not later than the deletion, which comes with the last failed ping, or manually
 * after it.
 */
function deletedSince(
  { lastSuccessAtMs }: Watched,
  { statusBefore, readAtMs, lastFailureAtMs }: WatchedTransition,
  notBeforeMs: number,
): Estimate {
  const aliveMs = Math.max(notBeforeMs, lastSuccessAtMs ?? 0)
  if (lastFailureAtMs === null || lastFailureAtMs <= aliveMs || lastFailureAtMs > readAtMs) {
    return between(aliveMs, readAtMs)
  }
  const isPing = statusBefore === 'suspended' && aliveMs === notBeforeMs
  const latestMs = isPing ? Math.min(readAtMs, lastFailureAtMs + pingEveryMs) : readAtMs
  return { ...between(lastFailureAtMs, latestMs), atMs: lastFailureAtMs }
}

/**
 * The eighth failure suspends, and pings follow every 5 minutes. Where the service's last failure is the eighth or a
 * ping's, the start is a whole number of ping intervals before it: between two polls there is at most one such instant.
 */
function suspendedSince(watched: Watched, last: WatchedTransition, nowMs: number): Estimate {
  const bounds = estimateBounds(watched, nowMs)
  const failureMs = last.lastFailureAtMs
  const candidates = failureMs === null ? [] : wholePingsBefore(failureMs, bounds)
  const [only] = candidates
  if (only !== undefined && candidates.length === 1) return exactly(only)
  const scheduledMs = scheduledFor(watched, last, nowMs)
  if (
    scheduledMs !== null &&
    scheduledMs >= bounds.earliestMs - minuteMs &&
    scheduledMs <= bounds.latestMs + minuteMs
  ) {
    const atMs = candidates.toSorted((one, other) => Math.abs(one - scheduledMs) - Math.abs(other - scheduledMs))[0]
    return { ...bounds, atMs: atMs ?? scheduledMs, basis: 'schedule' }
  }
  return bounds
}

/**
 * The earliest possible start: after the previous poll, the last success, and a day ago (it would be deleted by now).
 */
function estimateBounds({ transitions, lastSuccessAtMs, lastFailureAtMs }: Watched, nowMs: number): Estimate {
  const last = transitions.findLast(({ statusAfter }) => statusAfter === 'suspended')
  const latestMs = Math.min(
    last?.readAtMs ?? nowMs,
    last?.lastFailureAtMs ?? lastFailureAtMs ?? Number.MAX_SAFE_INTEGER,
  )
  const earliestMs = Math.min(latestMs, Math.max(last?.notBeforeMs ?? 0, lastSuccessAtMs ?? 0, nowMs - suspensionMs))
  const isObserved = last?.notBeforeMs !== null && last?.notBeforeMs !== undefined && latestMs - earliestMs <= minuteMs
  return { ...middle(earliestMs, latestMs), basis: isObserved ? 'polls' : 'bounds' }
}

function wholePingsBefore(failureMs: number, { earliestMs, latestMs }: Estimate): number[] {
  const found: number[] = []
  for (
    let atMs = failureMs;
    atMs >= earliestMs - secondMs && found.length <= pingsBeforeDeletion;
    atMs -= pingEveryMs
  ) {
    if (atMs <= latestMs + secondMs) found.push(atMs)
  }
  return found
}

/** When the eighth attempt fails, counted from the first failure where that is known within a minute. */
function scheduledFor(watched: Watched, suspended: WatchedTransition, nowMs: number): number | null {
  const { transitions } = watched
  const unhealthy = transitions
    .slice(0, transitions.indexOf(suspended))
    .findLast(({ statusAfter }) => statusAfter === 'unhealthy')
  const first = unhealthy ? unhealthySince(watched, unhealthy, nowMs) : null
  return first && first.latestMs - first.earliestMs <= minuteMs ? first.atMs + retriesMs : null
}

function toSuspension({ lastFailureAtMs }: Watched, since: Estimate, nowMs: number): Suspension {
  const deletion = shifted(since, suspensionMs)
  const deletionDueMs = deletion.basis === 'schedule' ? deletion.atMs : deletion.earliestMs
  // Where a service counts failed pings as failed deliveries, they show when the next one is due.
  const isPing =
    lastFailureAtMs !== null && nowMs - lastFailureAtMs <= pingEveryMs && lastFailureAtMs >= since.earliestMs
  const passed = Math.max(0, Math.floor((nowMs - since.atMs) / pingEveryMs))
  const nextPing = isPing ? exactly(lastFailureAtMs + pingEveryMs) : shifted(since, (passed + 1) * pingEveryMs)
  const nextNumber = Math.min(pingsBeforeDeletion, Math.max(1, Math.round((nextPing.atMs - since.atMs) / pingEveryMs)))
  return { nextPing, pingNumber: since.basis === 'bounds' ? null : nextNumber, deletion, deletionDueMs }
}

function exactly(atMs: number): Estimate {
  return { atMs, earliestMs: atMs, latestMs: atMs, basis: 'service' }
}

/** Two polls that are close together noticed it. */
function between(earliestMs: number, latestMs: number): Estimate {
  return { ...middle(earliestMs, latestMs), basis: latestMs - earliestMs <= minuteMs ? 'polls' : 'bounds' }
}

function middle(notBeforeMs: number, latestMs: number): Omit<Estimate, 'basis'> {
  const earliestMs = Math.min(notBeforeMs, latestMs)
  return { atMs: Math.round((earliestMs + latestMs) / 2), earliestMs, latestMs }
}

function shifted(estimate: Estimate, byMs: number): Estimate {
  return {
    ...estimate,
    atMs: estimate.atMs + byMs,
    earliestMs: estimate.earliestMs + byMs,
    latestMs: estimate.latestMs + byMs,
  }
}
