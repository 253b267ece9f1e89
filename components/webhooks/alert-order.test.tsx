import { expect, test } from 'vitest'
import { byUrgency } from './alert-order.ts'

test('a webhook whose figures cannot be read comes after one that is about to be deleted', () => {
  const states = [
    { level: null, state: 'deleted' },
    { level: null, state: 'healthy' },
    { level: 'unreadable', state: 'unreadable' },
    { level: 'unhealthy', state: 'unhealthy' },
    { level: 'deleted', state: 'deleted' },
    { level: 'one-hour', state: 'suspended' },
  ] as const
  expect(states.toSorted(byUrgency)).toEqual(states.toReversed())
})
