import type { EndpointName } from '#lib/contract/endpoints.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import type { EndpointProblem } from './types.ts'

/** A response within this time shows that the service is up. */
export const recentMs = minuteMs
const slowMs = 2 * secondMs
const timedRequests = 20
const leastTimedRequests = 5

/** This process's state: when it last had a response, what it has written, and how long its last requests took. */
export type ProcessHealth = {
  respondedAt: number
  writtenAt: number
  isFailing: boolean
  succeeded: Set<EndpointName>
  failed: Set<EndpointName>
  /** Endpoints whose last request was lost or failed with a 500, since the last success of any. */
  lost: Set<EndpointName>
  durations: { at: number; ms: number }[]
  read: { at: number; endpoints: EndpointProblem[] } | null
}
const processHealth = globalSingleton<Map<Environment, ProcessHealth>>('carddeskServiceHealth', () => new Map())

/** This process's state of an environment. */
export function ownHealth(environment: Environment): ProcessHealth {
  const own = processHealth().get(environment) ?? {
    respondedAt: 0,
    writtenAt: 0,
    isFailing: false,
    succeeded: new Set(),
    failed: new Set(),
    lost: new Set(),
    durations: [],
    read: null,
  }
  processHealth().set(environment, own)
  return own
}

/**
 * How long a request took, for the state `slow`: the median of the last requests counts, so one slow request changes
 * nothing.
 */
export function noteDuration(environment: Environment, durationMs: number): void {
  const { durations } = ownHealth(environment)
  durations.push({ at: Date.now(), ms: durationMs })
  if (durations.length > timedRequests) durations.shift()
}

/** Whether the median of the last requests is above the limit. */
export function isSlow({ durations }: ProcessHealth): boolean {
  const recent = durations.filter(({ at }) => Date.now() - at < recentMs).map(({ ms }) => ms)
  const median = recent.toSorted((one, other) => one - other)[Math.floor(recent.length / 2)]
  return recent.length >= leastTimedRequests && median !== undefined && median > slowMs
}

/** Whether the service takes long, and has responded within the last minute. */
export function isSlowButThere(environment: Environment): boolean {
  const own = ownHealth(environment)
  return isSlow(own) && Date.now() - own.respondedAt < recentMs
}
