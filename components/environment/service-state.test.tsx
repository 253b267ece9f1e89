import { expect, test } from 'vitest'
import { endpointNames } from '#lib/contract/endpoints.ts'
import type { EndpointProblem, ServiceHealth } from '#lib/environments/types.ts'
import { isEndpointOfPage } from './service-notice.tsx'
import { problemSentence, stateText } from './service-state.ts'

const online: Extract<ServiceHealth, { connected: true }> = {
  connected: true,
  isSigned: true,
  state: 'online',
  since: null,
  lastResponseAt: '2026-11-22T10:00:00.000Z',
  unreachableSince: null,
  lastProblem: null,
  endpoints: [],
}
const missing: EndpointProblem = {
  name: 'listFees',
  endpoint: 'GET /fees',
  kind: 'missing',
  since: '2026-11-22T10:00:00.000Z',
  lastAt: '2026-11-22T10:00:00.000Z',
  status: 404,
  code: null,
  requestId: 'r1',
  diagnosis: null,
}
const rejected = { endpoint: 'GET /fees', status: 401, code: 'TOKEN_EXPIRED', requestId: 'r1', diagnosis: null }

test.each([
  [online, 'Operational'],
  [{ ...online, lastResponseAt: null }, 'Not checked yet'],
  [{ ...online, state: 'slow' as const }, 'Slow'],
  [{ ...online, state: 'rejected' as const, endpoints: [missing] }, 'Rejected: check the access key'],
  [
    {
      ...online,
      state: 'rejected' as const,
      lastProblem: { ...rejected, diagnosis: 'The card service’s clock is 120 s ahead.' },
    },
    'Rejected: check the clocks',
  ],
  [
    { ...online, state: 'rejected' as const, lastProblem: { ...rejected, status: 403 } },
    'Rejected: check the key’s permissions',
  ],
  [{ ...online, state: 'unreadable' as const }, 'Unreadable responses'],
  [{ ...online, state: 'unreachable' as const }, 'Not responding'],
  [{ ...online, endpoints: [missing] }, '1 endpoint unavailable'],
  [{ ...online, endpoints: [missing, missing] }, '2 endpoints unavailable'],
])('the status of a service: %#', (health, label) => {
  expect(stateText(health).label).toBe(label)
})

test('a problem names its endpoint, and the diagnosis where there is one', () => {
  expect(problemSentence(missing)).toBe('GET /fees isn’t available on this service (404).')
  expect(problemSentence({ ...missing, kind: 'rejected', status: 403, diagnosis: 'Check the clocks.' })).toBe(
    'GET /fees was rejected (403). Check the clocks.',
  )
  expect(problemSentence({ ...missing, kind: 'unexpected', diagnosis: 'GET /fees returned a list.' })).toBe(
    'GET /fees returned a list.',
  )
})

test('an endpoint belongs to the pages that use it', () => {
  expect(isEndpointOfPage('/sandbox/fees', 'listFees')).toBe(true)
  expect(isEndpointOfPage('/sandbox/payouts/new', 'quotePayout')).toBe(true)
  expect(isEndpointOfPage('/sandbox', 'listPayouts')).toBe(true)
  expect(isEndpointOfPage('/sandbox/rates', 'listFees')).toBe(false)
  expect(isEndpointOfPage('/sandbox/constructor', 'listFees')).toBe(false)
  const paths = ['', 'card-accounts', 'identity', 'fees', 'payouts', 'funding-accounts', 'rates', 'banks', 'webhooks']
  const onNoPage = endpointNames.filter((name) => !paths.some((path) => isEndpointOfPage(`/sandbox/${path}`, name)))
  // The QA lab calls the simulators, and shows their responses itself.
  expect(onNoPage).toEqual(['ping', 'simulateAuthorization', 'simulateFullReversal', 'simulateRepay'])
})
