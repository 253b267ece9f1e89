import { expect, test } from 'vitest'
import { firstPingLabels } from './first-ping.tsx'

const created = { state: 'healthy', status: 'created', lastSuccessAtMs: null }

test.each([
  [{ ...created, status: 'healthy', lastSuccessAtMs: 1 }, /answered the first ping with 200/],
  [{ ...created, status: 'healthy' }, /answered the first ping with 200/],
  [{ ...created, status: null, lastSuccessAtMs: 1 }, /answered the first ping with 200/],
  [{ ...created, state: 'unhealthy', status: 'unhealthy' }, /did not answer the first ping with 200: nothing/],
  [{ ...created, state: 'deleted', status: null }, /did not answer the first ping/],
])('what the looks tell of a new webhook (%j) is what is said of its first ping', (webhook, words) => {
  for (const isLate of [false, true]) expect(firstPingLabels(webhook, isLate)).toMatch(words)
})

test('until they tell, it is waited for, and then left to the panel: nothing is claimed', () => {
  for (const webhook of [null, created, { ...created, status: null }]) {
    expect(firstPingLabels(webhook, false)).toMatch(/^Waiting for the first ping/)
    expect(firstPingLabels(webhook, true)).toMatch(/its result shows on the panel/)
  }
})
