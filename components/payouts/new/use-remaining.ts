'use client'

import { useQuery } from '@tanstack/react-query'
import { useTicking } from '#components/ui/ticking.ts'
import { serviceClockQuery } from '#lib/queries/quotes.ts'
import { stampNow } from '#lib/shared/elapsed.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import type { HeldQuote } from './quote-state.ts'
import { lastCallMs, remainingMs } from './quote-time.ts'

export type Remaining = {
  /** Begun seconds; null where no quote is held. */
  seconds: number | null
  state: 'none' | 'open' | 'last-call' | 'expired'
  /** Read again, for a press: what is on the screen may be a second old. */
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
