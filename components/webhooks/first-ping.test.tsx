import { expect, test } from 'vitest'
import type { WatchedTransition } from '#lib/console/webhooks/shapes.ts'
import { firstPingFigure, firstPingLabels } from './first-ping.tsx'

const created = { state: 'healthy', status: 'created', lastSuccessAtMs: null }

test.each([
  [{ ...created, status: 'healthy', lastSuccessAtMs: 1 }, /returned 200 for the first ping/],
  [{ ...created, status: 'healthy' }, /returned 200 for the first ping/],
  [{ ...created, status: null, lastSuccessAtMs: 1 }, /returned 200 for the first ping/],
  [{ ...created, state: 'unhealthy', status: 'unhealthy' }, /didn’t return 200 for the first ping. Nothing/],
  [{ ...created, state: 'deleted', status: null }, /didn’t return 200 for the first ping/],
])('what the looks tell of a new webhook (%j) is what is said of its first ping', (webhook, labels) => {
  for (const isLate of [false, true]) expect(firstPingLabels(webhook, isLate)).toMatch(labels)
})

test('until they tell, it is waited for, and then left to the panel: nothing is claimed', () => {
  for (const webhook of [null, created, { ...created, status: null }]) {
    expect(firstPingLabels(webhook, false)).toMatch(/^Waiting for the first ping/)
    expect(firstPingLabels(webhook, true)).toMatch(/its result shows on the panel/)
  }
})

test('the panel of a new webhook keeps what came of the first ping, as long as that is known', () => {
  const change = (statusAfter: string) => ({ statusAfter }) as WatchedTransition
  const figure = (webhook: Partial<Parameters<typeof firstPingFigure>[0]>) =>
    firstPingFigure({
      isNew: true,
      state: 'healthy',
      lastSuccessAtMs: null,
      transitions: [change('healthy')],
      ...webhook,
    })?.value
  expect(figure({})).toBe('Waiting')
  expect(figure({ lastSuccessAtMs: 1 })).toBe('Returned 200')
  expect(figure({ state: 'unhealthy', transitions: [change('healthy'), change('unhealthy')] })).toBe('Failed')
  expect(figure({ lastSuccessAtMs: 1, transitions: [change('unhealthy'), change('healthy')] })).toBeUndefined()
  expect(figure({ isNew: false, lastSuccessAtMs: 1 })).toBeUndefined()
})
