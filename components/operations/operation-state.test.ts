import { expect, test } from 'vitest'
import type { ActionResult, Operation, Outcome } from '#lib/operations/types.ts'
import { afterEvent, newOperation, type OperationEvent, standing } from './operation-state.ts'

const outcome = (state: Outcome['state'], happened = state as string) => ({ state, happened, next: 'Wait.' }) as Outcome
const settled = (state: Outcome['state'], more: Partial<Operation> = {}, fields = {}): OperationEvent => ({
  type: 'responded',
  result: {
    kind: 'settled',
    operation: { outcome: outcome(state), resultId: null, steps: [], ...more },
    record: null,
    fields,
  } as ActionResult,
})
const refused: OperationEvent = {
  type: 'responded',
  result: { kind: 'refused', outcome: outcome('refused', 'Signed out.') },
}
const invalid: OperationEvent = { type: 'responded', result: { kind: 'invalid', fields: { reason: 'is missing' } } }
const started: OperationEvent = { type: 'started', operationId: 'first' }
const [sentAgain, lost] = [{ type: 'sent again' }, { type: 'response lost' }] as const

const after = (...events: OperationEvent[]) => events.reduce(afterEvent, newOperation('first'))
const shown = (events: OperationEvent[], polled?: Operation) => standing(after(...events), polled).outcome

test.each<[string, OperationEvent[], Partial<Outcome> | null]>([
  ['nothing before its first response', [started], null],
  ['what the response says', [started, settled('waiting')], { state: 'waiting', next: 'Wait.' }],
  ['why the console did not take it', [started, refused], { state: 'refused', happened: 'Signed out.' }],
  ['nothing where fields are wrong', [started, invalid], null],
  ['a response that was lost', [started, lost], { state: 'unknown' }],
  [
    'the open outcome, and why it was not taken again',
    [started, lost, sentAgain, refused],
    { state: 'unknown', next: 'Signed out.' },
  ],
  [
    'the open outcome alone while it is sent once more',
    [started, settled('unknown'), sentAgain, refused, sentAgain],
    { next: 'Wait.' },
  ],
  ['the form once the second sending finds fields that are wrong', [started, lost, sentAgain, invalid], null],
  ['the outcome of the second sending', [started, lost, sentAgain, settled('done')], { state: 'done' }],
  [
    'nothing of a refused operation once another one is started',
    [started, refused, { ...started, operationId: 'second' }],
    null,
  ],
  [
    'nothing of a refused operation once its form is cleared',
    [started, refused, { type: 'cleared', operationId: 'second' }],
    null,
  ],
])('shows %s', (_, events, expected) => {
  const found = shown(events)
  if (expected === null) expect(found).toBeNull()
  else expect(found).toMatchObject(expected)
})

test('an open outcome is what the journal says meanwhile, and a known one is not', () => {
  const polled = { outcome: outcome('done'), resultId: 'made', steps: [{ kind: 'card.lock' }] } as Operation
  expect(standing(after(started, lost), polled)).toMatchObject({ outcome: { state: 'done' }, resultId: 'made' })
  expect(standing(after(started, settled('refused')), polled)).toMatchObject({
    outcome: { state: 'refused' },
    resultId: null,
    steps: [],
  })
})

test('a request is under way until it is responded to, or its response is lost', () => {
  const isPending = (...events: OperationEvent[]) => after(...events).isPending
  expect([isPending(), isPending(started), isPending(started, lost), isPending(started, lost, sentAgain)]).toEqual([
    false,
    true,
    false,
    true,
  ])
  expect([isPending(started, invalid), isPending(started, refused), isPending(started, settled('done'))]).toEqual([
    false,
    false,
    false,
  ])
})

test('the error of a field goes with a correction, and those within it', () => {
  const fields = { source: 'a', 'source.name': 'b', sourceOfFunds: 'c' }
  const wrong = after(started, settled('refused', {}, fields))
  expect(wrong.errors).toEqual(fields)
  expect(afterEvent(wrong, { type: 'corrected', field: 'source' }).errors).toEqual({ sourceOfFunds: 'c' })
  expect(afterEvent(wrong, { type: 'corrected', field: 'amount' }).errors).toBe(wrong.errors)
  expect(after(started, invalid, sentAgain).errors).toEqual({})
})
