'use client'

import { useReducer, useRef } from 'react'
import { quotePayout } from '#lib/actions/console.ts'
import type { QuoteResult } from '#lib/console/payouts/shapes.ts'
import { stampNow } from '#lib/shared/time.ts'
import { noQuote, quoteReducer, type Outdated } from './quote-state.ts'

const unreachable: QuoteResult = {
  kind: 'refused',
  outcome: {
    state: 'refused',
    happened: 'Carddesk isn’t responding. Check your connection.',
    changed: 'no',
    isSafeToRetry: true,
    needsReview: false,
    next: 'Try again.',
    code: null,
    status: null,
    requestId: null,
  },
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
