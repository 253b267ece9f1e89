import { expect, test } from 'vitest'
import { quotas } from './quota.ts'
import { contractProfile } from './service-profile.ts'

const headers = (limit: number, remaining: number, reset: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(reset),
})

test('returns each endpoint’s remaining requests until the minute is over', () => {
  const quota = quotas(contractProfile.headers)
  quota.note('waiveFee', headers(1200, 1100, 30_000), 1_000)
  expect(quota.of('waiveFee', 11_000)).toEqual({ limit: 1200, remaining: 1100, resetsInMs: 20_000 })
  expect(quota.of('lockCard', 11_000)).toBeNull()
  expect(quota.of('waiveFee', 31_000)).toBeNull()
  quota.note('waiveFee', headers(1200, 1199, 60_000), 31_000)
  expect(quota.of('waiveFee', 31_000)).toMatchObject({ remaining: 1199 })
})

test('an overtaken response does not raise the remaining requests', () => {
  const quota = quotas(contractProfile.headers)
  quota.note('waiveFee', headers(10, 3, 20_000), 0)
  quota.note('waiveFee', headers(10, 4, 20_010), 5)
  expect(quota.of('waiveFee', 10)).toMatchObject({ remaining: 3 })
})

test.each([
  ['none', {}],
  ['one that is no number', { ...headers(10, 3, 20_000), 'x-ratelimit-remaining': 'many' }],
  ['one without its reset', { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '3' }],
])('headers that tell no limit are no limit: %s', (_case, given) => {
  const quota = quotas(contractProfile.headers)
  quota.note('waiveFee', given, 0)
  expect(quota.of('waiveFee', 1)).toBeNull()
})
