import { expect, test } from 'vitest'
import { previewText, replayOutcome } from './replay-since-dialog.tsx'

test('a preview counts what would be sent', () => {
  expect([0, 1, 2400].map((count) => previewText({ count, hasMore: false }))).toEqual([
    'No events since then.',
    '1 event is sent.',
    '2,400 events are sent.',
  ])
  expect(previewText({ count: 1000, hasMore: true })).toMatch(/^The first 1,000 events/)
})

test('a replay says how many were delivered, and what ended it', () => {
  const failed = { event: 'card.updated', status: 500, problem: 'HTTP_STATUS' }
  expect(replayOutcome({ kind: 'done', result: { delivered: 2, failed: null, hasMore: false } })).toMatchObject({
    tone: 'good',
    title: '2 events delivered',
  })
  expect(replayOutcome({ kind: 'done', result: { delivered: 1, failed, hasMore: false } })).toMatchObject({
    tone: 'warn',
    title: '1 event delivered, then one was not',
    body: 'card.updated: HTTP 500. The later ones were not sent.',
  })
})
