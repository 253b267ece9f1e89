'use client'

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTicking } from '#components/ui/time.tsx'
import type { ServiceClock } from '#lib/console/desk/shapes.ts'
import { fetchRead, readKey } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { elapsedMs, secondMs, stampNow, type Stamp } from '#lib/shared/time.ts'
import type { HeldQuote } from './use-quote.ts'

/** Nothing is submitted in the last seconds: the request must arrive before the quote expires. */
const lastCallMs = 5 * secondMs

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

/** `0:43`, `12:05`. Rounds up to whole seconds, so that `0:00` means expired. */
export function countdownText(leftMs: number): string {
  const seconds = Math.ceil(Math.max(0, leftMs) / secondMs)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export type Remaining = {
  /** Rounded up to whole seconds; null without a quote. */
  seconds: number | null
  state: 'none' | 'open' | 'last-call' | 'expired'
  /** Computed on each call, for a click: the figure on the screen may be a second old. */
  isOpenNow: () => boolean
}

/** How long the quote can still be used, every second, from absolute times and the service's clock. */
export function useRemaining(environment: Environment, held: HeldQuote | null, isWatched: boolean): Remaining {
  const { data } = useQuery({ ...serviceClockQuery(environment), enabled: held !== null && isWatched })
  const timed = held && { ...held.quote, fetchedAt: held.fetchedAt }
  const leftMs = () => (timed ? remainingMs(timed, data ?? null, stampNow()) : 0)
  const ticking = useTicking(() => String(Math.ceil(leftMs() / secondMs)))
  const isOpenNow = () => timed !== null && leftMs() > lastCallMs
  if (!timed) return { seconds: null, state: 'none', isOpenNow }
  const seconds = Number(ticking)
  const state = seconds === 0 ? 'expired' : seconds * secondMs <= lastCallMs ? 'last-call' : 'open'
  return { seconds, state, isOpenNow }
}

/** The service's clock, and when it was requested: it was read after that. */
type ClockReading = ServiceClock & { fetchedAt: Stamp }

/** Requested every few seconds while a quote is shown: the sandbox's clock can be moved. A quote itself is no read. */
function serviceClockQuery(environment: Environment) {
  return queryOptions({
    queryKey: readKey('serviceClockForScreen', environment),
    queryFn: async ({ signal }): Promise<ClockReading> => {
      const fetchedAt = stampNow()
      return { ...(await fetchRead(signal, 'serviceClockForScreen', environment)), fetchedAt }
    },
    refetchInterval: 3_000,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
}
