import { expect, test } from 'vitest'
import type { LiveState } from '#components/live/live-source.ts'
import type { ServiceHealth } from '#lib/environments/types.ts'
import { toHealthMark } from './health-mark.tsx'

const readAt = '2026-11-22T10:00:00.000Z'
const online: Extract<ServiceHealth, { connected: true }> & { now: string } = {
  now: readAt,
  connected: true,
  isSigned: true,
  state: 'online',
  since: null,
  lastResponseAt: readAt,
  unreachableSince: null,
  lastProblem: null,
  endpoints: [],
}
const label = (health: Parameters<typeof toHealthMark>[0], live: LiveState, error: Error | null = null) =>
  toHealthMark(health, { error, live }).label

test('is Live only while the service works and changes reach the page', () => {
  expect(label(online, 'live')).toBe('Live')
  expect(label(online, 'connecting')).toBe('Operational')
  expect(label(online, 'reconnecting')).toBe('Polling')
  expect(label({ ...online, state: 'rejected' }, 'live')).toBe('Rejected: check the access key')
  expect(label({ ...online, state: 'unreadable' }, 'live')).toBe('Unreadable responses')
  expect(label({ ...online, state: 'slow' }, 'live')).toBe('Slow')
  expect(label({ ...online, lastResponseAt: '2026-11-22T09:58:00.000Z' }, 'live')).toBe('Delayed')
})

test('an endpoint that fails is named while updates arrive; missing updates come first', () => {
  const problem = { kind: 'unreadable', status: 200, code: null, requestId: null, diagnosis: null } as const
  const endpoint = { name: 'createWebhook', endpoint: 'POST /webhooks', since: readAt, lastAt: readAt } as const
  const partial = { ...online, endpoints: [{ ...problem, ...endpoint }] }
  expect(label(partial, 'live')).toBe('1 endpoint unavailable')
  expect(label(partial, 'reconnecting')).toBe('Polling')
  expect(label(partial, 'signed-out')).toBe('Signed out')
})

test('reports a missing connection, a missing read and a missing session', () => {
  expect(label({ connected: false, missing: [], now: readAt }, 'live')).toBe('Not connected')
  expect(label(undefined, 'connecting')).toBe('Checking')
  expect(label(online, 'signed-out')).toBe('Signed out')
  expect(label(online, 'live', new Error('offline'))).toBe('No connection')
})
