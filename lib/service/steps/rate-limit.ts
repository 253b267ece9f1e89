import { secondMs } from '#lib/shared/time.ts'
import { ApiError } from '../api-error.ts'
import type { Admission } from './admit.ts'

/** The three headers of every authenticated response; none where there is no limit. */
export function rateLimitHeaders(limit: number, { requests, resetMs }: Admission): Record<string, string> {
  if (limit === 0) return {}
  return {
    'X-Ratelimit-Limit': String(limit),
    'X-Ratelimit-Remaining': String(Math.max(0, limit - requests)),
    'X-Ratelimit-Reset': String(resetMs),
  }
}

/** Throws `RATE_LIMITED` beyond the limit of the minute. */
export function requireWithinLimit(limit: number, { requests, resetMs }: Admission): void {
  if (limit === 0 || requests <= limit) return
  throw new ApiError('RATE_LIMITED', `at most ${limit} requests a minute are allowed here`, {
    'Retry-After': String(Math.ceil(resetMs / secondMs)),
  })
}
