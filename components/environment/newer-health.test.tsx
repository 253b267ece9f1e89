import { expect, test } from 'vitest'
import type { ServiceHealth } from '#lib/environments/types.ts'
import { newerHealth } from './service-health-panel.tsx'

const health = (lastResponseAt: string | null, unreachableSince: string | null = null): ServiceHealth => ({
  connected: true,
  isSigned: true,
  state: unreachableSince === null ? 'online' : 'unreachable',
  since: unreachableSince,
  lastResponseAt,
  unreachableSince,
  lastProblem: null,
  endpoints: [],
})
const never = health(null)
const received = health('2026-11-21T15:00:00.000Z')
const later = health('2026-11-21T15:00:10.000Z')
const down = health('2026-11-21T15:00:00.000Z', '2026-11-21T15:00:05.000Z')

test.each([
  ['an answer, and nothing yet', received, never],
  ['an answer, and an earlier one', later, received],
  ['a failure, and the answer before it', down, received],
  ['an answer, and the failure before it', later, down],
])('the newer health is shown, from the page or a live update: %s', (_name, newer, older) => {
  expect(newerHealth(newer, older)).toBe(newer)
  expect(newerHealth(older, newer)).toBe(newer)
})

test('of two of one moment the first is shown', () => {
  const same = { ...received }
  expect(newerHealth(same, received)).toBe(same)
})
