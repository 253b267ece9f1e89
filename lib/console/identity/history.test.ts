import { expect, test } from 'vitest'
import { identityHistory } from './read.ts'

const createdAt = '2026-01-01T00:00:00.000Z'
const first = 'Invalid ID (expired doc)'
const second = 'Invalid ID (name check hit)'

function event(name: string, at: string, rejectedReason?: string) {
  return { id: `${name} ${at}`, event: name, at, body: JSON.stringify({ data: { rejectedReason } }) }
}

const rejected = event('cardaccount.client-identity.rejected', '2026-01-02T00:00:00.000Z', first)
const approved = event('cardaccount.client-identity.approved', '2026-01-04T00:00:00.000Z')
const resubmitted = { at: '2026-01-03T00:00:00.000Z', by: 'Olive', responds: true, rejectedReason: first }

test('orders events and resubmissions by time and names what reported each', () => {
  const steps = identityHistory(
    { createdAt, status: 'approved', rejectedReason: null },
    [event('cardaccount.created', createdAt), rejected, approved],
    [resubmitted],
  )
  expect(steps).toMatchObject([
    { kind: 'submitted', at: createdAt, source: 'event', event: { name: 'cardaccount.created' } },
    { kind: 'rejected', rejectedReason: first, event: { id: rejected.id } },
    { kind: 'resubmitted', source: 'operation', by: 'Olive', event: null },
    { kind: 'approved', event: { id: approved.id } },
  ])
  expect(steps).toHaveLength(4)
})

test.each([
  ['pending', null, [], []],
  ['a status of tomorrow', null, [], []],
  [null, null, [], []],
  ['approved', null, [], [{ kind: 'approved', at: null, source: 'inferred' }]],
  ['rejected', first, [], [{ kind: 'rejected', at: null, source: 'inferred', rejectedReason: first }]],
  ['rejected', first, [rejected], [{ kind: 'rejected', source: 'event' }]],
  ['pending', null, [rejected], [{ kind: 'rejected' }, { kind: 'resubmitted', at: null, source: 'inferred' }]],
  [
    'rejected',
    second,
    [rejected],
    [
      { kind: 'rejected', rejectedReason: first },
      { kind: 'rejected', rejectedReason: second, source: 'inferred' },
    ],
  ],
])('%s for %j: infers the step that no event reported', (status, rejectedReason, events, later) => {
  const steps = identityHistory({ createdAt, status, rejectedReason }, events, [])
  expect(steps).toMatchObject([{ kind: 'submitted', at: createdAt, source: 'record' }, ...later])
  expect(steps).toHaveLength(later.length + 1)
})

test.each(['pending', 'approved'])(
  'a resubmission keeps the rejection that no event reported, with its reason, while the identity is %s',
  (status) => {
    const again = { at: '2026-01-05T00:00:00.000Z', by: 'Olive', responds: true, rejectedReason: second }
    const steps = identityHistory({ createdAt, status, rejectedReason: null }, [], [resubmitted, again])
    expect(steps.slice(0, 5)).toMatchObject([
      { kind: 'submitted' },
      { kind: 'rejected', rejectedReason: first, source: 'inferred' },
      { kind: 'resubmitted', at: resubmitted.at },
      { kind: 'rejected', rejectedReason: second },
      { kind: 'resubmitted', at: again.at },
    ])
  },
)

test('a rejection that an event reported is not listed a second time', () => {
  const steps = identityHistory({ createdAt, status: 'pending', rejectedReason: null }, [rejected], [resubmitted])
  expect(steps.map(({ kind }) => kind)).toEqual(['submitted', 'rejected', 'resubmitted'])
})

test('a rejection whose payload cannot be read has no reason of its own', () => {
  const [, step] = identityHistory(
    { createdAt, status: 'rejected', rejectedReason: null },
    [{ ...rejected, body: '{' }],
    [],
  )
  expect(step).toMatchObject({ kind: 'rejected', rejectedReason: null, source: 'event' })
})
