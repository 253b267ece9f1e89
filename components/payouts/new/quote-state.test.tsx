import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Quote, QuoteResult } from '#lib/console/payouts/types.ts'
import { forAccount, noQuote, quoteReducer, type QuoteEvent, type QuoteState } from './use-quote.ts'

const fetchedAt = { wallMs: 0, monotonicMs: 0 }
const quoted = (id: string): QuoteResult => ({ kind: 'quoted', quote: { id } as Quote })
const received = (sequence: number, result: QuoteResult): QuoteEvent => ({
  type: 'received',
  sequence,
  result,
  fetchedAt,
  atMs: 0,
})
const run = (events: readonly QuoteEvent[], from: QuoteState = noQuote) => events.reduce(quoteReducer, from)
const refused = { kind: 'refused', outcome: { code: 'SERVICE_UNREACHABLE' } } as QuoteResult

test('the response to the last press is used', () => {
  const state = run([{ type: 'requested', sequence: 1 }, received(1, quoted('a'))])
  expect(state).toMatchObject({ held: { quote: { id: 'a' } }, awaited: null, outdated: null, previous: null })
})

test('a quote of another account than the form’s can’t be submitted, though nobody edited anything', () => {
  const result = { kind: 'quoted', quote: { id: 'a', accountId: 'first' } as Quote } as const
  const state = run([{ type: 'requested', sequence: 1 }, received(1, result)])
  const quoting = { ...state, current: state.held }
  expect(forAccount(quoting, 'first')).toBe(quoting)
  expect(forAccount(quoting, undefined), 'while the accounts are read').toBe(quoting)
  expect(forAccount(quoting, 'second')).toMatchObject({ held: state.held, current: null, outdated: 'edited' })
  expect(forAccount({ ...quoting, outdated: 'refused' }, 'second').outdated).toBe('refused')
})

describe('a late response', () => {
  test('of an earlier request is ignored, whenever it arrives', () => {
    const two: QuoteEvent[] = [
      { type: 'requested', sequence: 1 },
      { type: 'requested', sequence: 2 },
    ]
    expect(run([...two, received(1, quoted('early')), received(2, quoted('late'))]).held?.quote.id).toBe('late')
    expect(run([...two, received(2, quoted('late')), received(1, quoted('early'))]).held?.quote.id).toBe('late')
    expect(run([...two, received(1, refused)]).problem).toBeNull()
  })

  test('for what was changed meanwhile is ignored', () => {
    const state = run([{ type: 'requested', sequence: 1 }, { type: 'edited' }, received(1, quoted('a'))])
    expect(state).toMatchObject({ held: null, awaited: null })
  })

  test('after the form was cleared is ignored', () => {
    const state = run([{ type: 'requested', sequence: 1 }, { type: 'restarted' }, received(1, quoted('a'))])
    expect(state).toMatchObject({ held: null, previous: null })
  })
})

test('an edit outdates the quote that is held, and keeps it for the difference', () => {
  const state = run([{ type: 'requested', sequence: 1 }, received(1, quoted('a')), { type: 'edited' }])
  expect(state).toMatchObject({ outdated: 'edited', held: { quote: { id: 'a' } } })
  const next = run(
    [{ type: 'requested', sequence: state.sequence + 1 }, received(state.sequence + 1, quoted('b'))],
    state,
  )
  expect(next).toMatchObject({ outdated: null, held: { quote: { id: 'b' } }, previous: { id: 'a' } })
})

test('a failed press leaves the quote that is held as it is', () => {
  const state = run([
    { type: 'requested', sequence: 1 },
    received(1, quoted('a')),
    { type: 'requested', sequence: 2 },
    received(2, refused),
  ])
  expect(state).toMatchObject({ held: { quote: { id: 'a' } }, problem: { outcome: { code: 'SERVICE_UNREACHABLE' } } })
})

test('in any order of presses, edits and responses, the quote shown is the one requested last', () => {
  const step = fc.oneof(
    fc.constant('ask' as const),
    fc.constant('edit' as const),
    fc.nat({ max: 9 }).map((back) => ({ back })),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let state = noQuote
      let newest = 0
      const requested: number[] = []
      for (const one of steps) {
        const before = state
        if (one === 'ask') {
          newest = state.sequence + 1
          requested.push(newest)
          state = quoteReducer(state, { type: 'requested', sequence: newest })
        } else if (one === 'edit') {
          newest = -1
          state = quoteReducer(state, { type: 'edited' })
        } else {
          const sequence = requested.at(-1 - one.back)
          if (sequence === undefined) continue
          state = quoteReducer(state, received(sequence, quoted(String(sequence))))
          if (state !== before) {
            expect(sequence).toBe(newest)
            expect(state.held?.quote.id).toBe(String(newest))
          }
        }
      }
    }),
    { numRuns: 2000 },
  )
})
