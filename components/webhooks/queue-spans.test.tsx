import { expect, test } from 'vitest'
import { pointsSince, queueSpans } from './queue-spans.ts'

test('neighbours of one state are one span, each ends where the next begins, and the last lasts until now', () => {
  const states = ['healthy', 'healthy', 'unhealthy', 'suspended', 'suspended', 'healthy']
  const points = states.map((status, index) => ({ atMs: index * 10, queued: 0, status }))
  expect(queueSpans(points, 70)).toEqual([
    { status: 'healthy', fromMs: 0, toMs: 20 },
    { status: 'unhealthy', fromMs: 20, toMs: 30 },
    { status: 'suspended', fromMs: 30, toMs: 50 },
    { status: 'healthy', fromMs: 50, toMs: 70 },
  ])
  expect(queueSpans([], 70)).toEqual([])
})

test('what is older than the chart is left out, but for what was still in force when it begins', () => {
  const points = [10, 20, 30].map((atMs) => ({ atMs, queued: atMs, status: 'healthy' }))
  expect(pointsSince(points, 25)).toEqual([{ ...points[1], atMs: 25 }, points[2]])
  expect(pointsSince(points, 20)).toEqual(points.slice(1))
  expect(pointsSince(points, 5)).toEqual(points)
  expect(pointsSince(points, 99)).toEqual([{ ...points[2], atMs: 99 }])
})
