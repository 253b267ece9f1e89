import { expect, test } from 'vitest'
import type { Estimate } from '#lib/console/webhooks/types.ts'
import { hourMs, minuteMs } from '#lib/shared/time.ts'
import { queuePieces, queueSpans, queueSteps } from './queue-spans.ts'

/** A span of looks, in minutes. */
function readings(from: number, to: number, status = 'healthy', queued = 0) {
  return { fromMs: from * minuteMs, toMs: to * minuteMs, queued, status }
}

/** Spans as their state and their ends in minutes. */
function drawn(
  points: ReturnType<typeof readings>[],
  now: number,
  present?: Parameters<typeof queueSpans>[2],
  start = 0,
) {
  const pieces = queuePieces(points, start * minuteMs, now * minuteMs)
  return queueSpans(pieces, now * minuteMs, present).map(({ fromMs, toMs, status }) => [
    status,
    fromMs / minuteMs,
    toMs / minuteMs,
  ])
}

function since(basis: Estimate['basis'], earliest: number, at: number, latest: number): Estimate {
  return { basis, earliestMs: earliest * minuteMs, atMs: at * minuteMs, latestMs: latest * minuteMs }
}

test('neighbours of one state are one span, each ends where the next begins, and the last lasts until now', () => {
  const points = [
    readings(0, 9),
    readings(10, 14),
    readings(15, 19, 'unhealthy'),
    readings(20, 29, 'suspended'),
    readings(30, 39, 'suspended'),
    readings(40, 41),
  ]
  expect(drawn(points, 42)).toEqual([
    ['healthy', 0, 15],
    ['unhealthy', 15, 20],
    ['suspended', 20, 40],
    ['healthy', 40, 42],
  ])
  expect(drawn([], 70)).toEqual([])
})

test('what is older than the chart is left out, but for what was still in force when it begins', () => {
  const points = [readings(0, 9), readings(10, 19, 'unhealthy'), readings(20, 29)]
  expect(drawn(points, 30, null, 15)).toEqual([
    ['unhealthy', 15, 20],
    ['healthy', 20, 30],
  ])
  expect(drawn([readings(0, 9), readings(600, 601)], 601, null, 300)).toEqual([['healthy', 600, 601]])
})

test('the time without a poll belongs to no state, before the next poll and before now', () => {
  expect(drawn([readings(0, 20), readings(600, 610)], 900)).toEqual([
    ['healthy', 0, 20],
    [null, 20, 600],
    ['healthy', 600, 610],
    [null, 610, 900],
  ])
  expect(drawn([readings(0, 0), readings(600, 600, 'unhealthy')], 600)).toEqual([[null, 0, 600]])
})

test('a continuing failure is drawn from the estimated start of the figures; within its bounds the state is unknown', () => {
  const points = [readings(0, 60), readings(600, 600, 'unhealthy')]
  const bounded = { status: 'unhealthy', since: since('bounds', 60, 300, 540) }
  expect(drawn(points, 600, bounded)).toEqual([
    ['healthy', 0, 60],
    [null, 60, 540],
    ['unhealthy', 540, 600],
  ])
  const scheduled = { status: 'suspended', since: since('schedule', 60, 204, 599) }
  expect(drawn([readings(0, 60, 'unhealthy'), readings(600, 600, 'suspended')], 600, scheduled)).toEqual([
    ['unhealthy', 0, 60],
    [null, 60, 204],
    ['suspended', 204, 600],
  ])
})

test('a continuing failure covers a gap between polls, and ends at the last poll', () => {
  const points = [readings(0, 60), readings(61, 100, 'unhealthy'), readings(400, 410, 'unhealthy')]
  const present = { status: 'unhealthy', since: since('service', 61, 61, 61) }
  expect(drawn(points, 900, present)).toEqual([
    ['healthy', 0, 61],
    ['unhealthy', 61, 410],
    [null, 410, 900],
  ])
})

test('the depth holds until the next poll, and the line breaks where polls are missing', () => {
  const pieces = queuePieces(
    [readings(0, 9, 'healthy', 2), readings(10, 19), readings(540, 540, 'unhealthy', 45)],
    0,
    9 * hourMs,
  )
  const now = { nowMs: 9 * hourMs, queued: 40, deepest: 45 }
  const steps = queueSteps(pieces, now)
  expect(steps.map(({ atMs, value, isAfterGap }) => [atMs / minuteMs, value, isAfterGap])).toEqual([
    [0, 2, false],
    [10, 2, false],
    [10, 0, false],
    [19, 0, false],
    [540, 45, true],
    [540, 45, false],
    [540, 40, false],
  ])
  expect(steps.every(({ low, high }) => low === 0 && high === 45)).toBe(true)
  expect(queueSteps(pieces.slice(1, 2), { ...now, deepest: 0 })).toMatchObject([
    { atMs: 10 * minuteMs, low: 0, high: 1 },
    { atMs: 19 * minuteMs, low: 0, high: 1 },
  ])
})
