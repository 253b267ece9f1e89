import { clsx } from 'clsx'
import { toneText, type Tone } from '#components/ui/tone.ts'
import type { QueuePoint } from '#lib/console/webhooks/read.ts'
import { dayMs } from '#lib/shared/time.ts'

const width = 1000
const height = 60

const stateFills: Record<string, string> = { healthy: 'fill-good', unhealthy: 'fill-warn', suspended: 'fill-bad' }
const count = new Intl.NumberFormat('en-HK')

/** The depth of a queue over the last 24 hours, and the state of the webhook below it. */
export function QueueChart({
  points,
  queued,
  nowMs,
  tone,
  name,
}: {
  points: readonly QueuePoint[]
  queued: number
  nowMs: number
  tone: Tone
  name: string
}) {
  const most = Math.max(1, queued, ...points.map((point) => point.queued))
  const x = (atMs: number) => Math.max(0, width - ((nowMs - atMs) / dayMs) * width)
  const y = (value: number) => height - (value / most) * (height - 6) - 2
  const [first] = points
  const line = [
    ...points.map((point) => `${x(point.atMs).toFixed(1)},${y(point.queued).toFixed(1)}`),
    `${width},${y(queued).toFixed(1)}`,
  ]
  const startX = first ? x(first.atMs).toFixed(1) : String(width)
  const summary = `Queue of ${name} over 24 hours: ${count.format(queued)} now, ${count.format(most === 1 && queued === 0 && points.every((point) => point.queued === 0) ? 0 : most)} at most.`
  return (
    <figure className={clsx('min-w-0', toneText[tone])}>
      <figcaption className="mb-1 flex justify-between gap-2 text-xs text-soft">
        <span>Queue, 24 h</span>
        <span className="tabular-nums">{count.format(queued)} now</span>
      </figcaption>
      <svg
        role="img"
        aria-label={summary}
        viewBox={`0 0 ${width} ${height + 8}`}
        preserveAspectRatio="none"
        className="h-16 w-full"
      >
        <line
          x1="0"
          x2={width}
          y1={height - 2}
          y2={height - 2}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
        <polygon
          points={`${startX},${height - 2} ${line.join(' ')} ${width},${height - 2}`}
          fill="currentColor"
          opacity="0.14"
        />
        <polyline
          points={line.join(' ')}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
        {spansOf(points, nowMs).map((span) => (
          <rect
            key={span.fromMs}
            x={x(span.fromMs)}
            width={Math.max(1, x(span.toMs) - x(span.fromMs))}
            y={height + 3}
            height="5"
            className={stateFills[span.status] ?? 'fill-faint'}
          />
        ))}
      </svg>
    </figure>
  )
}

type Span = { fromMs: number; toMs: number; status: string }

/** Neighbours of the same state become one span. */
function spansOf(points: readonly QueuePoint[], nowMs: number): Span[] {
  const spans: Span[] = []
  for (const { atMs, status } of points) {
    const last = spans.at(-1)
    if (last?.status === status) continue
    if (last) last.toMs = atMs
    spans.push({ fromMs: atMs, toMs: nowMs, status })
  }
  return spans
}
