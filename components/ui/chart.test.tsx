import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bandPath, type ChartPoint, fillPath, linePath, nearestPoint, makeScales, splitAtGaps } from './chart.tsx'

const area = { width: 1000, height: 256, inset: 20 }

const points = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.float({ min: 1, max: 100, noNaN: true }), fc.boolean()), {
    minLength: 1,
    maxLength: 50,
  })
  .map((steps) => {
    let atMs = 0
    return steps.map(([pauseMs, value, isAfterGap]): ChartPoint => {
      atMs += pauseMs
      return { atMs, value, low: value * 0.9, high: value * 1.1, isAfterGap }
    })
  })

test('segments hold every point once, in order, and never reach over a gap', () => {
  fc.assert(
    fc.property(points, (all) => {
      const segments = splitAtGaps(all)
      expect(segments.flat()).toEqual(all)
      for (const segment of segments) expect(segment.slice(1).some(({ isAfterGap }) => isAfterGap)).toBe(false)
      expect(segments).toHaveLength(all.filter(({ isAfterGap }, index) => isAfterGap || index === 0).length)
    }),
  )
})

test('every point is inside the chart; the extremes touch the insets; higher values are further up', () => {
  fc.assert(
    fc.property(points, (all) => {
      const scales = makeScales(all, { fromMs: 0, toMs: all.at(-1)?.atMs ?? 1 }, area)
      const drawn = splitAtGaps(all).flatMap((segment) => [linePath(segment, scales), bandPath(segment, scales)])
      for (const [, x, y] of drawn.join(' ').matchAll(/(-?[\d.]+),(-?[\d.]+)/g)) {
        expect(Number(x)).toBeGreaterThanOrEqual(0)
        expect(Number(x)).toBeLessThanOrEqual(area.width)
        expect(Number(y)).toBeGreaterThanOrEqual(area.inset - 0.1)
        expect(Number(y)).toBeLessThanOrEqual(area.height - area.inset + 0.1)
      }
      expect(scales.y(Math.max(...all.map(({ high }) => high)))).toBeCloseTo(area.inset)
      expect(scales.y(1)).toBeGreaterThan(scales.y(2))
    }),
  )
})

test('a single point is a dot, a flat line lies in the middle', () => {
  const [point] = [{ atMs: 5, value: 7.8, low: 7.8, high: 7.8, isAfterGap: false }]
  const scales = makeScales([point], { fromMs: 0, toMs: 10 }, area)
  expect(linePath([point], scales)).toBe('M500.0,128.0 L500.0,128.0')
  expect(fillPath([point], scales, area.height)).toBe('M500.0,256.0 L500.0,128.0 L500.0,256.0 Z')
  expect(fillPath([], scales, area.height)).toBe('')
})

test('the nearest point in time is found; where there is none, none', () => {
  const all = [{ atMs: 0 }, { atMs: 10 }, { atMs: 100 }]
  expect([-5, 4, 6, 54, 56, 1000].map((atMs) => nearestPoint(all, atMs))).toEqual([0, 0, 1, 1, 2, 2])
  expect(nearestPoint([], 5)).toBe(-1)
})
