import type { ServiceHealth } from '#lib/environments/types.ts'

/**
 * An instant that may be known only approximately. `service`: from the service's own times. `polls`: between two polls
 * of the console. `schedule`: computed from the retry schedule. `bounds`: only the bounds are known.
 */
export type Estimate = {
  atMs: number
  earliestMs: number
  latestMs: number
  basis: 'service' | 'polls' | 'schedule' | 'bounds'
}

export type WatchedTransition = {
  statusBefore: string | null
  statusAfter: string
  readAtMs: number
  notBeforeMs: number | null
  lastFailureAtMs: number | null
  queuedMessages: number | null
}

export type AlertLevel = 'unreadable' | 'unhealthy' | 'suspended' | 'six-hours' | 'one-hour' | 'deleted'

export type Suspension = {
  nextPing: Estimate
  /** Which of the 288 pings comes next; null where it is not known when the pings began. */
  pingNumber: number | null
  deletion: Estimate
  /** The end of a countdown: the earliest possible instant, or the one of the retry schedule. */
  deletionDueMs: number
}

/**
 * Consecutive polls with one state, from the first to the last, and the deepest queue among them. Times are
 * milliseconds of the service's clock.
 */
export type QueuePoint = { fromMs: number; toMs: number; queued: number; status: string }

/** Times are milliseconds of the service's clock. */
export type WebhookHealth = {
  id: string
  name: string | null
  url: string | null
  events: string[] | null
  /**
   * The status of the statistics as sent: `healthy`, `unhealthy`, `suspended`, `deleted` or an unknown one.
   * `statisticsUnreadable` where they could not be read at the last check; the other figures are of `lastReading` then.
   */
  state: string
  /** Why the statistics could not be read, and since when; null where they could. */
  unreadable: { reason: string; sinceMs: number } | null
  /** The last good reading of the statistics; null where there was none yet. */
  lastReading: { state: string; atMs: number } | null
  /** `created`: its first health check is still to come. Null where the service cannot list webhooks. */
  status: string | null
  /** The fields that the interface does not name, those of its statistics as `statistics.…`. */
  otherFields: Record<string, unknown>
  /** Null where it is not provided. */
  queuedMessages: number | null
  /** The queue an hour ago; null where there was no poll then. */
  queuedHourAgo: number | null
  lastSuccessAtMs: number | null
  lastFailureAtMs: number | null
  /** Since when it has its state; null where that is not known, and while the statistics cannot be read. */
  since: Estimate | null
  suspension: Suspension | null
  level: AlertLevel | null
  /** It was removed through the console. */
  isRemovedHere: boolean
  /** Another webhook, which is not deleted, delivers all its events to the same address. */
  isReplaced: boolean
  /** It was added through the console in the last 24 hours. */
  isNew: boolean
  /** It was deleted, and its alert was acknowledged. */
  isAcknowledged: boolean
  /** It delivers to this console, which gets changes through it, so it cannot be removed here. */
  isOwnInbox: boolean
  transitions: WatchedTransition[]
  queue: QueuePoint[]
}

export type WebhookOverview = {
  webhooks: WebhookHealth[]
  /** The service's clock as this was sent, and how it is known. */
  serviceNowMs: number
  clockSource: 'clock' | 'responses' | 'times'
  polledAt: string | null
  listedBy: 'service' | 'settings'
  /** The service can send a test: the interface has no means, the built-in service's control plane has. */
  isTestOffered: boolean
  health: ServiceHealth
}

export type WebhookAlert = Pick<
  WebhookHealth,
  'id' | 'name' | 'url' | 'level' | 'queuedMessages' | 'suspension' | 'since' | 'unreadable' | 'lastReading'
>
