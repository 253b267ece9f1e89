import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { HeaderNames } from './service-profile.ts'

/**
 * The state of the service's rate limit: requests to an endpoint in a minute, those left of it, and milliseconds
 * until the next.
 */
export type Quota = { limit: number; remaining: number; resetsInMs: number }

type Headers = Readonly<Record<string, unknown>>

/** The rate limit by endpoint, from the last response's `X-Ratelimit-…` headers. Times are on the caller's monotonic clock. */
export function quotas(names: HeaderNames) {
  const known = new Map<EndpointName, { limit: number; remaining: number; endsMs: number }>()
  return {
    /** Responses may come in another order than they were made: within one minute the lowest remaining number holds. */
    note(name: EndpointName, headers: Headers, nowMs: number): void {
      const limit = count(headers[names.rateLimit])
      const remaining = count(headers[names.rateLimitRemaining])
      const resetMs = count(headers[names.rateLimitReset])
      if (limit === null || remaining === null || resetMs === null) return
      const before = known.get(name)
      const isSameMinute = before !== undefined && before.endsMs > nowMs && before.limit === limit
      known.set(name, {
        limit,
        remaining: isSameMinute ? Math.min(before.remaining, remaining) : remaining,
        endsMs: isSameMinute ? before.endsMs : nowMs + resetMs,
      })
    },
    /** Null where the service reports none, or the minute it reported is over. */
    of(name: EndpointName, nowMs: number): Quota | null {
      const quota = known.get(name)
      if (!quota || quota.endsMs <= nowMs) return null
      return { limit: quota.limit, remaining: quota.remaining, resetsInMs: quota.endsMs - nowMs }
    },
  }
}

function count(value: unknown): number | null {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : null
}
