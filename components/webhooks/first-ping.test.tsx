import { expect, test } from 'vitest'
import type { WatchedTransition } from '#lib/console/webhooks/types.ts'
import { firstPingFigure, firstPingLabels } from './first-ping.tsx'

const created = { state: 'healthy', status: 'created', lastSuccessAtMs: null }

test.each([
  [{ ...created, status: 'healthy', lastSuccessAtMs: 1 }, /returned 200 for the first ping/],
  [{ ...created, status: 'healthy' }, /returned 200 for the first ping/],
  [{ ...created, status: null, lastSuccessAtMs: 1 }, /returned 200 for the first ping/],
  [{ ...created, state: 'unhealthy', status: 'unhealthy' }, /didn’t return 200 for the first ping. Nothing/],
  [{ ...created, state: 'deleted', status: null }, /didn’t return 200 for the first ping/],
])('polls of a new webhook (%j) give the result of its first ping', (webhook, labels) => {
  for (const isLate of [false, true]) expect(firstPingLabels(webhook, isLate)).toMatch(labels)
})

test('without a poll the result is awaited, and then left to the panel without a claim', () => {
  for (const webhook of [null, created, { ...created, status: null }, { ...created, state: 'PAUSED' }]) {
    expect(firstPingLabels(webhook, false)).toMatch(/^Waiting for the first ping/)
    expect(firstPingLabels(webhook, true)).toMatch(/its result shows on the panel/)
  }
})

test('the panel of a new webhook shows the result of the first ping while it is known', () => {
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
  expect(figure({ state: 'deleted', transitions: [change('unhealthy'), change('deleted')] })).toBeUndefined()
  expect(figure({ isNew: false, lastSuccessAtMs: 1 })).toBeUndefined()
  expect(figure({ state: 'PAUSED', transitions: [change('PAUSED')] })).toBeUndefined()
})
