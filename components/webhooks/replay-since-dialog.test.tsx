import { expect, test } from 'vitest'
import { previewText, replayProgress } from './replay-since-dialog.tsx'

test('a preview counts what would be sent', () => {
  expect([0, 1, 2400].map((count) => previewText({ count, hasMore: false }))).toEqual([
    'No events since then.',
    '1 event is sent.',
    '2,400 events are sent.',
  ])
  expect(previewText({ count: 1000, hasMore: true })).toMatch(/^The first 1,000 events/)
})

const start = { delivered: 0, last: null }

test('a replay says how many were delivered, and what ended it', () => {
  const failed = { event: 'card.updated', status: 500, problem: 'HTTP_STATUS' }
  const all = { delivered: 2, failed: null, hasMore: false, last: 'e-2' }
  expect(replayProgress({ kind: 'done', result: all }, start)).toMatchObject({
    outcome: { tone: 'good', title: '2 events delivered' },
    next: null,
  })
  const stopped = { delivered: 1, failed, hasMore: false, last: 'e-1' }
  expect(replayProgress({ kind: 'done', result: stopped }, start)).toMatchObject({
    outcome: {
      tone: 'warn',
      title: '1 event delivered, then one was not',
      body: 'card.updated: HTTP 500. The later ones were not sent.',
    },
    next: 'Try again',
    last: 'e-1',
  })
})

test('a replay that has more goes on after the last delivered event', () => {
  const first = { delivered: 40, failed: null, hasMore: true, last: 'e-40' }
  const begun = replayProgress({ kind: 'done', result: first }, start)
  expect(begun).toMatchObject({ last: 'e-40', next: 'Go on', outcome: { title: '40 events delivered' } })
  const none = { ...first, delivered: 0, last: null }
  expect(replayProgress({ kind: 'done', result: none }, begun)).toMatchObject({ delivered: 40, last: 'e-40' })
  const rest = { delivered: 2, failed: null, hasMore: false, last: 'e-42' }
  expect(replayProgress({ kind: 'done', result: rest }, begun)).toMatchObject({
    outcome: { tone: 'good', title: '42 events delivered' },
    next: null,
  })
})
