import type { Quote, QuoteResult } from '#lib/console/payouts/shapes.ts'
import type { Stamp } from '#lib/shared/time.ts'

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
