import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { WebhookHealth } from '#lib/console/webhooks/types.ts'
import { hourMs, minuteMs } from '#lib/shared/time.ts'
import { lengthText } from './health-labels.tsx'
import { QueueChart } from './queue-chart.tsx'

const nowMs = Date.parse('2026-11-22T04:00:00Z')
const agoMs = (hours: number) => nowMs - hours * hourMs

type Drawn = Pick<WebhookHealth, 'queue' | 'queuedMessages' | 'state' | 'since'>

function textOf(drawn: Partial<Drawn>): string {
  const webhook: Drawn = { queue: [], queuedMessages: 0, state: 'healthy', since: null, ...drawn }
  const markup = renderToStaticMarkup(<QueueChart webhook={webhook} nowMs={nowMs} tone="good" name="ledger-sync" />)
  return markup.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

/** Looks without a break, a point each ten minutes. */
function watched(fromHours: number, toHours: number, status = 'healthy') {
  const points = Math.round((fromHours - toHours) * 6)
  return Array.from({ length: points }, (_, index) => {
    const fromMs = agoMs(fromHours) + index * 10 * minuteMs
    return { fromMs, toMs: fromMs + 10 * minuteMs - 1, queued: 0, status }
  })
}

test('an empty queue is claimed only for the time that was observed', () => {
  expect(textOf({ queue: watched(25, 0) })).toContain('empty all the time')
  expect(textOf({ queue: watched(3, 0) })).toContain('empty since 09:00 , when monitoring began')
  expect(textOf({ queue: [...watched(25, 12), ...watched(1, 0)] })).toContain('no backlog')
  expect(textOf({})).toContain('empty now')
  const unknown = textOf({ queuedMessages: null })
  expect(unknown).toContain('not known')
  expect(unknown).not.toContain('0 at most')
})

test('figure and band agree after a clock jumped', () => {
  const since = { earliestMs: agoMs(9), atMs: agoMs(5), latestMs: agoMs(1), basis: 'bounds' as const }
  const observed = { fromMs: nowMs, toMs: nowMs, queued: 45, status: 'unhealthy' }
  const text = textOf({ queue: [...watched(12, 9), observed], queuedMessages: 45, state: 'unhealthy', since })
  expect(text).toMatch(/healthy 2 h 59 min not watched 8 h 0 min unhealthy at least 1 h 0 min/)
  expect(lengthText(since, nowMs)).toBe('at most 9 h 0 min')

  // It began before it was watched, and before what the chart shows.
  const before = { earliestMs: agoMs(25), atMs: agoMs(25), latestMs: agoMs(25), basis: 'service' as const }
  const watchedLater = { queue: watched(14, 0, 'unhealthy'), queuedMessages: 1, state: 'unhealthy', since: before }
  expect(textOf(watchedLater)).toContain(`unhealthy ${lengthText(before, nowMs)}`)

  const scheduled = { earliestMs: agoMs(9), atMs: agoMs(6.6), latestMs: nowMs, basis: 'schedule' as const }
  const state = 'suspended'
  const queue = [...watched(12, 9, 'unhealthy'), { ...observed, status: state }]
  expect(textOf({ queue, queuedMessages: 45, state, since: scheduled })).toMatch(/suspended 6 h 36 min/)
  expect(lengthText(scheduled, nowMs)).toBe('6 h 36 min')
})
