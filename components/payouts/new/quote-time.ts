import type { ServiceClock } from '#lib/console/desk/shapes.ts'
import { elapsedMs, type Stamp } from '#lib/shared/elapsed.ts'
import { secondMs } from '#lib/shared/time.ts'

/** Nothing is submitted in the last seconds: the request has to arrive before the quote expires. */
export const lastCallMs = 5 * secondMs

/** `fetchedAt` is when the request for the quote was sent. */
type TimedQuote = { expiresAt: string; expiresInMs: number; fetchedAt: Stamp }
type Reading = Pick<ServiceClock, 'serviceNowMs' | 'source'> & { fetchedAt: Stamp }

/**
 * How long a quote can still be used, at most: counted from when its request left, and by the service's own clock where that
 * can be read. A clock known only from the dates of responses is not used: its whole seconds say less than the quote does.
 */
export function remainingMs(quote: TimedQuote, reading: Reading | null, now: Stamp): number {
  const byLifetime = quote.expiresInMs - elapsedMs(quote.fetchedAt, now)
  const isReported = reading?.source === 'clock' && reading.fetchedAt.monotonicMs >= quote.fetchedAt.monotonicMs
  if (!isReported) return Math.max(0, byLifetime)
  const byClock = Date.parse(quote.expiresAt) - (reading.serviceNowMs + elapsedMs(reading.fetchedAt, now))
  return Math.max(0, Math.min(byLifetime, byClock))
}

/** `0:43`, `12:05`. Begun seconds count whole, so that `0:00` is the end and nothing else. */
export function countdownText(leftMs: number): string {
  const seconds = Math.ceil(Math.max(0, leftMs) / secondMs)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
