'use client'

import { useReducer, useRef } from 'react'
import { refusedHere } from '#components/operations/outcome-text.tsx'
import { quotePayout } from '#lib/actions/console.ts'
import type { Quote, QuoteResult } from '#lib/console/payouts/shapes.ts'
import { type Stamp, stampNow } from '#lib/shared/time.ts'

/** A quote on the screen. `validatedAtMs`: when the beneficiary was found valid, by the browser's clock. */
export type HeldQuote = { quote: Quote; fetchedAt: Stamp; validatedAtMs: number }

/** Why a quote that is still shown cannot be used any more. */
export type Outdated = 'edited' | 'refused' | 'used'

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
  const held = { quote: result.quote, fetchedAt, validatedAtMs: atMs }
  const previous = state.outdated === 'used' ? null : (state.held?.quote ?? null)
  return { ...state, awaited: null, held, outdated: null, previous, problem: null }
}

const unreachable: QuoteResult = {
  kind: 'refused',
  outcome: refusedHere({
    happened: 'Carddesk isn’t responding. Check your connection.',
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

  /** The result of this request, or null where a newer request or an edit replaced it. */
  async function request(
    input: Omit<Parameters<typeof quotePayout>[0], 'idempotencyKey'>,
  ): Promise<QuoteResult | null> {
    if (state.awaited !== null) return null
    const sequence = state.sequence + 1
    newest.current = sequence
    const fetchedAt = stampNow()
    dispatch({ type: 'requested', sequence })
    const result = await quotePayout({ ...input, idempotencyKey: crypto.randomUUID() }).catch(() => unreachable)
    dispatch({ type: 'received', sequence, result, fetchedAt, atMs: Date.now() })
    return newest.current === sequence ? result : null
  }

  return {
    ...state,
    isRequesting: state.awaited !== null,
    request,
    edited() {
      newest.current += 1
      dispatch({ type: 'edited' })
    },
    outdate: (why: Outdated) => dispatch({ type: 'outdated', why }),
    restart: () => dispatch({ type: 'restarted' }),
  }
}
