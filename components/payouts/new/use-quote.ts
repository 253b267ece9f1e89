'use client'

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useReducer, useRef } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { refusedHere } from '#components/operations/outcome-text.tsx'
import { durationText } from '#components/ui/time-format.ts'
import { useTicking } from '#components/ui/time.tsx'
import { type ActionInput, runAction } from '#lib/actions/run-action.ts'
import type { Quote, QuoteResult } from '#lib/console/payouts/types.ts'
import type { ServiceClock } from '#lib/environments/types.ts'
import { consoleUnreachable } from '#lib/queries/read.ts'
import { fetchRead, readKey } from '#lib/queries/reads.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'

/** A moment by both clocks of this machine: the wall clock can be set, the monotonic one may pause while it sleeps. */
export type Stamp = { wallMs: number; monotonicMs: number }

export function stampNow(): Stamp {
  return { wallMs: Date.now(), monotonicMs: performance.now() }
}

/** Elapsed milliseconds: the larger of wall and monotonic clock, so that setting the clock back cannot shorten them. */
export function elapsedMs(since: Stamp, now: Stamp): number {
  return Math.max(0, now.wallMs - since.wallMs, now.monotonicMs - since.monotonicMs)
}

/** A quote on the screen. `validatedAtMs`: when the beneficiary was found valid, by the browser's clock. */
export type HeldQuote = { quote: Quote; fetchedAt: Stamp; validatedAtMs: number }

/** Why a quote that is still shown cannot be used any more. */
export type Outdated = 'edited' | 'refused'

export type QuoteProblem = Exclude<QuoteResult, { kind: 'quoted' }>

export type QuoteState = {
  /** Grows with each press and each edit: a response counts only for the newest press. */
  sequence: number
  /** The press whose response is awaited. */
  awaited: number | null
  held: HeldQuote | null
  outdated: Outdated | null
  /** The quote before the one that is held, for the difference. */
  previous: Quote | null
  problem: QuoteProblem | null
}

export type QuoteEvent =
  | { type: 'requested'; sequence: number }
  | { type: 'received'; sequence: number; result: QuoteResult; fetchedAt: Stamp; atMs: number }
  | { type: 'edited' }
  | { type: 'outdated'; why: Outdated }
  | { type: 'restarted' }

export const noQuote: QuoteState = {
  sequence: 0,
  awaited: null,
  held: null,
  outdated: null,
  previous: null,
  problem: null,
}

/** The state after an event. A response that comes late, out of order or for other details is ignored. */
export function quoteReducer(state: QuoteState, event: QuoteEvent): QuoteState {
  if (event.type === 'requested') return { ...state, sequence: event.sequence, awaited: event.sequence, problem: null }
  if (event.type === 'edited') {
    return {
      ...state,
      sequence: state.sequence + 1,
      awaited: null,
      problem: null,
      outdated: state.held ? (state.outdated ?? 'edited') : null,
    }
  }
  if (event.type === 'outdated') return state.held ? { ...state, outdated: event.why } : state
  if (event.type === 'restarted') return { ...noQuote, sequence: state.sequence + 1 }
  if (event.sequence !== state.awaited || event.sequence !== state.sequence) return state
  const { result, fetchedAt, atMs } = event
  if (result.kind !== 'quoted') return { ...state, awaited: null, problem: result }
  const held = holdQuote(result, fetchedAt, atMs)
  return { ...state, awaited: null, held, outdated: null, previous: state.held?.quote ?? null, problem: null }
}

/** The quote of a result; null where there is none. */
function holdQuote(result: QuoteResult, fetchedAt: Stamp, atMs: number): HeldQuote | null {
  return result.kind === 'quoted' ? { quote: result.quote, fetchedAt, validatedAtMs: atMs } : null
}

const unreachable: QuoteResult = {
  kind: 'refused',
  outcome: refusedHere({
    happened: consoleUnreachable,
    isSafeToRetry: true,
    next: 'Try again.',
  }),
}

/**
 * The quote of this screen. It is requested by a button, held in this component's state only, and dropped when the
 * details it was requested for change. Each request has its own idempotency key.
 */
export function useQuote() {
  const [state, dispatch] = useReducer(quoteReducer, noQuote)
  const newest = useRef(0)

  /** The result of this request with the quote that is now held, or null where a newer request or an edit replaced it. */
  async function request(
    input: Omit<ActionInput<'quotePayout'>, 'idempotencyKey'>,
  ): Promise<{ result: QuoteResult; held: HeldQuote | null } | null> {
    if (state.awaited !== null) return null
    const sequence = state.sequence + 1
    newest.current = sequence
    const fetchedAt = stampNow()
    dispatch({ type: 'requested', sequence })
    const result = await runAction('quotePayout', { ...input, idempotencyKey: crypto.randomUUID() }).catch(
      () => unreachable,
    )
    const atMs = Date.now()
    dispatch({ type: 'received', sequence, result, fetchedAt, atMs })
    return newest.current === sequence ? { result, held: holdQuote(result, fetchedAt, atMs) } : null
  }

  const isRequesting = state.awaited !== null
  return {
    ...state,
    /** The quote that can still be submitted: the details are those that it was requested for. */
    current: state.outdated ? null : state.held,
    isRequesting,
    request,
    edited() {
      newest.current += 1
      dispatch({ type: 'edited' })
    },
    outdate: (why: Outdated) => dispatch({ type: 'outdated', why }),
    restart: () => dispatch({ type: 'restarted' }),
  }
}

/**
 * The quote as the form now is: that of an account which isn't the form's any more, because the list of accounts changed, can't be
 * submitted.
 */
export function forAccount<Held extends Pick<QuoteState, 'held' | 'outdated'> & { current: HeldQuote | null }>(
  quoting: Held,
  accountId: string | undefined,
): Held {
  const { held, outdated } = quoting
  if (!held || accountId === undefined || sameId(held.quote.accountId, accountId)) return quoting
  return { ...quoting, current: null, outdated: outdated ?? 'edited' }
}

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

/** `0:43`, `12:05`, from an hour on `3 h 59 min`. Rounds up to whole seconds, so that `0:00` means expired. */
export function countdownText(leftMs: number): string {
  const seconds = Math.ceil(Math.max(0, leftMs) / secondMs)
  if (seconds >= 60 * 60) return durationText(seconds * secondMs)
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
export function useRemaining(held: HeldQuote | null, isWatched: boolean): Remaining {
  const environment = useEnvironment()
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
    queryKey: readKey('readServiceClockForScreen', environment),
    queryFn: async ({ signal }): Promise<ClockReading> => {
      const fetchedAt = stampNow()
      return { ...(await fetchRead(signal, 'readServiceClockForScreen', environment)), fetchedAt }
    },
    refetchInterval: 3_000,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
}
