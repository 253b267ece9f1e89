import { expect, test } from 'vitest'
import type { BulkJob } from '#lib/operations/bulk/types.ts'
import { formatHeadline, jobLabel, leftText, rowsAhead, timeLeft } from './bulk-labels.ts'

const none = { waiting: 0, running: 0, done: 0, refused: 0, unknown: 0, cancelled: 0 }

function job(counts: Partial<BulkJob['counts']>, more: Partial<BulkJob> = {}): BulkJob {
  const all = { ...none, ...counts }
  return {
    id: 'id',
    environment: 'sandbox',
    kind: 'fee.waive',
    title: 'Waive fees',
    reason: null,
    by: { id: 'id', name: 'Olivia Poon', role: 'operations' },
    permission: 'fees.waive',
    state: 'finished',
    pausedBecause: null,
    total: Object.values(all).reduce((sum, rows) => sum + rows, 0),
    counts: all,
    approval: null,
    createdAt: '2026-11-21T00:00:00Z',
    finishedAt: '2026-11-21T00:01:00Z',
    ...more,
  }
}

test.each([
  [{ done: 200 }, 'All 200 fees waived'],
  [{ done: 1 }, '1 of 1 fees waived'],
  [{ done: 187, refused: 11, cancelled: 2 }, '187 of 200 fees waived, 11 refused, 2 not started'],
  [{ refused: 3 }, '0 of 3 fees waived, 3 refused'],
  [
    { done: 1200, unknown: 1, running: 1, waiting: 3000 },
    '1,200 of 4,202 fees waived, 1 not known, 1 in progress, 3,000 waiting',
  ],
])('the headline of %j counts everything that is not done', (counts, headline) => {
  expect(formatHeadline(job(counts))).toBe(headline)
})

test('nothing can be held back once every row was sent, though an outcome is still unknown', () => {
  expect(rowsAhead(job({ done: 24, unknown: 1, refused: 2, cancelled: 3 }))).toBe(0)
  expect(rowsAhead(job({ done: 24, running: 1, waiting: 3 }))).toBe(4)
})

test('a job that is done in part is never called good', () => {
  expect(jobLabel(job({ done: 2 }))).toMatchObject({ label: 'Finished', tone: 'good' })
  for (const left of [{ refused: 1 }, { unknown: 1 }]) {
    expect(jobLabel(job({ done: 199, ...left }))).toMatchObject({ label: 'Finished in part', tone: 'warn' })
  }
  expect(jobLabel(job({ done: 1, cancelled: 1 }, { state: 'cancelled' })).label).toBe('Cancelled')
  const declined = { state: 'cancelled', approval: { state: 'declined', by: null } } as const
  expect(jobLabel(job({ cancelled: 2 }, declined)).label).toBe('Declined')
  const stopped = { state: 'cancelled', approval: { state: 'approved', by: null } } as const
  expect(jobLabel(job({ cancelled: 2 }, stopped)).label).toBe('Cancelled')
  const open = { finishedAt: null }
  expect(jobLabel(job({ done: 1, running: 1 }, { state: 'cancelled', ...open })).label).toBe('Stopping')
  expect(
    jobLabel(job({ waiting: 1 }, { state: 'paused', approval: { state: 'waiting', by: null }, ...open })).label,
  ).toBe('Waiting for approval')
  expect(jobLabel(job({ waiting: 1 }, { state: 'paused', pausedBecause: 'Enough', ...open })).label).toBe('Paused')
  expect(jobLabel(job({ waiting: 1 }, { state: 'running', ...open })).label).toBe('Running')
  expect(jobLabel(job({ unknown: 1 }, { state: 'running', ...open })).label).toBe('Settling')
  expect(jobLabel(job({ waiting: 1 }, { state: 'running', pausedBecause: 'away', ...open })).label).toBe(
    'Waiting for the card service',
  )
})

test('the remaining time is shown only while the job runs', () => {
  const running = { state: 'running' as const, finishedAt: null }
  expect(timeLeft(job({ waiting: 5000 }, running), 5, null)).toBe('about 17 minutes left')
  expect(timeLeft(job({ waiting: 299 }, running), 5, null)).toBe('less than a minute left')
  expect(timeLeft(job({ waiting: 5 }, { ...running, pausedBecause: 'away' }), 5, null)).toBeNull()
  expect(timeLeft(job({ waiting: 5 }, { state: 'paused' }), 5, null)).toBeNull()
  expect(timeLeft(job({ done: 5 }), 5, null)).toBeNull()
})

test('the remaining time follows a service that is slower than the pace that was set', () => {
  const running = { state: 'running' as const, finishedAt: null }
  expect(timeLeft(job({ done: 10, waiting: 13 }, running), 5, 5000)).toBe('about 2 minutes left')
  expect(timeLeft(job({ done: 9, refused: 1, waiting: 11 }, running), 5, 5000)).toBe('less than a minute left')
  // Faster rows wait for the pace.
  expect(timeLeft(job({ done: 10, waiting: 600 }, running), 5, 20)).toBe('about 2 minutes left')
})

test.each([
  [{ refused: 1, cancelled: 0 }, '1 refused'],
  [{ refused: 1, cancelled: 2 }, '3 rows left'],
  [{ refused: 0, cancelled: 0 }, null],
])('of %j a new job can do %j', (left, text) => expect(leftText(left)).toBe(text))
