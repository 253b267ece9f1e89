import { clsx } from 'clsx'
import { count } from '#components/ui/count.ts'
import { durationText } from '#components/ui/durations.ts'
import { toneFill, toneText, type Tone } from '#components/ui/tone.ts'
import type { QueuePoint } from '#lib/console/webhooks/read.ts'
import { dayMs } from '#lib/shared/time.ts'
import { pointsSince, queueSpans } from './queue-spans.ts'

const area = { width: 1000, height: 60, top: 4, base: 58 }

const stateTones: Record<string, Tone> = { healthy: 'good', unhealthy: 'warn', suspended: 'bad' }
const hoursAgo = ['24 h ago', '18 h', '12 h', '6 h', 'now']
/** How many of the latest states are written below. */
const writtenSpans = 4

/** The depth of a queue over the last 24 hours with its scale, and the states of the webhook below it, in words too. */
export function QueueChart({
  points: known,
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
  const points = pointsSince(known, nowMs - dayMs)
  const deepest = Math.max(queued, ...points.map((point) => point.queued))
  const x = (atMs: number) => Math.min(area.width, Math.max(0, area.width - ((nowMs - atMs) / dayMs) * area.width))
  const y = (value: number) => area.base - (value / Math.max(1, deepest)) * (area.base - area.top)
  const line = [...points.map(({ atMs, queued: depth }) => [x(atMs), y(depth)]), [area.width, y(queued)]]
    .map((place) => place.map((value) => (value ?? 0).toFixed(1)).join(','))
    .join(' ')
  const startX = x(points[0]?.atMs ?? nowMs).toFixed(1)
  const spans = queueSpans(points, nowMs)
  return (
    <figure className={clsx('min-w-0', toneText[tone])}>
      <figcaption className="mb-1 flex flex-wrap justify-between gap-x-3 text-xs text-soft">
        <span>Queue, 24 h</span>
        <span className="tabular-nums">
          {deepest === 0 ? 'empty all the time' : `${count.format(queued)} now, ${count.format(deepest)} at most`}
        </span>
      </figcaption>
      <div className="flex gap-2">
        <svg
          role="img"
          aria-label={`Queue of ${name} over 24 hours: ${count.format(queued)} now, ${count.format(deepest)} at most.`}
          viewBox={`0 0 ${area.width} ${area.height}`}
          preserveAspectRatio="none"
          className="h-16 min-w-0 flex-1"
        >
          <g className="stroke-line">
            {[area.top, area.base].map((at) => (
              <line key={at} x1="0" x2={area.width} y1={at} y2={at} vectorEffect="non-scaling-stroke" />
            ))}
            {[0.25, 0.5, 0.75].map((share) => (
              <line
                key={share}
                x1={share * area.width}
                x2={share * area.width}
                y1={area.top}
                y2={area.base}
                strokeDasharray="2 3"
                vectorEffect="non-scaling-stroke"
              />
            ))}
          </g>
          <polygon
            points={`${startX},${area.base} ${line} ${area.width},${area.base}`}
            fill="currentColor"
            opacity="0.14"
          />
          <polyline
            points={line}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.75"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <Scale deepest={deepest} />
      </div>
      <div className="flex gap-2">
        <div className="min-w-0 flex-1">
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${area.width} 4`}
            preserveAspectRatio="none"
            className="mt-1 h-1.5 w-full"
          >
            <rect width={area.width} height="4" className="fill-hover" />
            {spans.map(({ fromMs, toMs, status }) => (
              <rect
                key={fromMs}
                x={x(fromMs)}
                width={Math.max(1, x(toMs) - x(fromMs))}
                height="4"
                className={toneFill[stateTones[status] ?? 'neutral']}
              />
            ))}
          </svg>
          <div aria-hidden="true" className="mt-0.5 flex justify-between text-2xs text-faint">
            {hoursAgo.map((text) => (
              <span key={text}>{text}</span>
            ))}
          </div>
        </div>
        <Scale deepest={deepest} isSpacer />
      </div>
      {spans.length > 0 && (
        <ol aria-label="States, oldest first" className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-soft">
          {spans.slice(-writtenSpans).map(({ fromMs, toMs, status }) => (
            <li key={fromMs} className="flex items-center gap-1.5">
              <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2 shrink-0">
                <circle cx="4" cy="4" r="4" className={toneFill[stateTones[status] ?? 'neutral']} />
              </svg>
              {status} {durationText(toMs - fromMs)}
            </li>
          ))}
        </ol>
      )}
    </figure>
  )
}

/** The ends of the scale beside the drawing. Below it, unseen, it keeps the drawings as wide as each other. */
function Scale({ deepest, isSpacer = false }: { deepest: number; isSpacer?: boolean }) {
  return (
    <div
      aria-hidden="true"
      className={clsx(
        'flex shrink-0 flex-col text-right text-2xs text-faint tabular-nums',
        isSpacer ? 'invisible h-0' : 'h-16 leading-none',
        !isSpacer && (deepest > 0 ? 'justify-between' : 'justify-end'),
      )}
    >
      <span>{count.format(deepest)}</span>
      {deepest > 0 && <span>0</span>}
    </div>
  )
}
