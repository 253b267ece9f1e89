import type { EndpointName } from '#lib/contract/endpoints.ts'

/** What the service's rate limit leaves: requests to an endpoint in a minute, those left of it, and milliseconds until the next. */
export type Quota = { limit: number; remaining: number; resetsInMs: number }

type Headers = Readonly<Record<string, unknown>>

/** The rate limit by endpoint, as the last answer's `X-Ratelimit-…` headers told it. Times are on the caller's monotonic clock. */
export function quotas() {
  const known = new Map<EndpointName, { limit: number; remaining: number; endsMs: number }>()
  return {
    /** Answers may come in another order than they were made: within one minute the least that was told to be left holds. */
    note(name: EndpointName, headers: Headers, nowMs: number): void {
      const limit = count(headers['x-ratelimit-limit'])
      const remaining = count(headers['x-ratelimit-remaining'])
      const resetMs = count(headers['x-ratelimit-reset'])
      if (limit === null || remaining === null || resetMs === null) return
      const before = known.get(name)
      const isSameMinute = before !== undefined && before.endsMs > nowMs && before.limit === limit
      known.set(name, {
        limit,
        remaining: isSameMinute ? Math.min(before.remaining, remaining) : remaining,
        endsMs: isSameMinute ? before.endsMs : nowMs + resetMs,
      })
    },
    /** Null where the service tells none, or the minute it told of is over. */
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
