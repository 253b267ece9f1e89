/** A point of a line, only for drawing: figures that are shown are never computed from it. */
export type ChartPoint = {
  atMs: number
  value: number
  low: number
  high: number
  /** The time before it is unknown: the line starts again. */
  isAfterGap: boolean
}

export type ChartSpan = { fromMs: number; toMs: number }

type ChartArea = { width: number; height: number; inset: number }

/** Runs of points without a gap between them. */
export function splitAtGaps<Point extends Pick<ChartPoint, 'isAfterGap'>>(points: readonly Point[]): Point[][] {
  const segments: Point[][] = []
  for (const point of points) {
    const last = segments.at(-1)
    if (last && !point.isAfterGap) last.push(point)
    else segments.push([point])
  }
  return segments
}

/** The positions of times and values in the drawing. The lowest and the highest value lie `inset` from the edges. */
export function makeScales(
  points: readonly ChartPoint[],
  { fromMs, toMs }: ChartSpan,
  { width, height, inset }: ChartArea,
): { x: (atMs: number) => number; y: (value: number) => number } {
  const low = Math.min(...points.map((point) => point.low))
  const high = Math.max(...points.map((point) => point.high))
  const room = height - 2 * inset
  const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value))
  return {
    x: (atMs) => clamp(((atMs - fromMs) / Math.max(1, toMs - fromMs)) * width, width),
    y: (value) => (high > low ? inset + ((high - value) / (high - low)) * room : height / 2),
  }
}

const coordinate = (x: number, y: number) => `${x.toFixed(1)},${y.toFixed(1)}`

type Scales = ReturnType<typeof makeScales>

/** The line of a segment; of a single point a dot, where line ends are round. */
export function linePath(segment: readonly ChartPoint[], { x, y }: Scales): string {
  const coordinates = segment.map(({ atMs, value }) => coordinate(x(atMs), y(value)))
  return `M${coordinates.join(' L')}${coordinates.length === 1 ? ` L${coordinates[0] ?? ''}` : ''}`
}

/** The area between the lowest and the highest values of a segment. */
export function bandPath(segment: readonly ChartPoint[], { x, y }: Scales): string {
  const above = segment.map(({ atMs, high }) => coordinate(x(atMs), y(high)))
  const below = segment.map(({ atMs, low }) => coordinate(x(atMs), y(low))).toReversed()
  return `M${[...above, ...below].join(' L')} Z`
}

/** The area below the line of a segment. */
export function fillPath(segment: readonly ChartPoint[], { x, y }: Scales, height: number): string {
  const [first, last] = [segment.at(0), segment.at(-1)]
  if (!first || !last) return ''
  const line = segment.map(({ atMs, value }) => coordinate(x(atMs), y(value)))
  return `M${[coordinate(x(first.atMs), height), ...line, coordinate(x(last.atMs), height)].join(' L')} Z`
}

/** The index of the point that is nearest in time; -1 where there is none. */
export function nearestPoint(points: readonly Pick<ChartPoint, 'atMs'>[], atMs: number): number {
  let best = -1
  for (const [index, point] of points.entries()) {
    const known = points[best]
    if (!known || Math.abs(point.atMs - atMs) < Math.abs(known.atMs - atMs)) best = index
  }
  return best
}

const area = { width: 300, height: 48, inset: 4 }

/** A small line without axes. `label` describes what it shows. */
export function Sparkline({ points, span, label }: { points: readonly ChartPoint[]; span: ChartSpan; label: string }) {
  const scales = makeScales(points, span, area)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${area.width} ${area.height}`}
      preserveAspectRatio="none"
      className="h-12 w-full text-accent"
    >
      {splitAtGaps(points).map((segment) => (
        <g key={segment[0]?.atMs}>
          <path d={fillPath(segment, scales, area.height)} fill="currentColor" opacity="0.12" />
          <ChartLine segment={segment} scales={scales} />
        </g>
      ))}
    </svg>
  )
}

/** The line through the points of one unbroken part of a chart, as thick at any width of the drawing. */
export function ChartLine({
  segment,
  scales,
}: {
  segment: readonly ChartPoint[]
  scales: ReturnType<typeof makeScales>
}) {
  return (
    <path
      d={linePath(segment, scales)}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
    />
  )
}
