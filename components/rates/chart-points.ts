import type { ChartPoint } from '#components/ui/chart-geometry.ts'
import type { RateHistory } from '#lib/console/rates/shapes.ts'

/** The points of a history for drawing, as floats. The line breaks at gaps. */
export function chartPoints({ points, gaps }: Pick<RateHistory, 'points' | 'gaps'>): ChartPoint[] {
  const ends = new Set(gaps.map(({ toMs }) => toMs))
  return points.map(({ fromMs, toMs, low, high, close }) => ({
    atMs: toMs,
    value: Number(close),
    low: Number(low),
    high: Number(high),
    isAfterGap: ends.has(fromMs),
  }))
}
