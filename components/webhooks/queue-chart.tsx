import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { ChartLine, fillPath, makeScales, splitAtGaps } from '#components/ui/chart.tsx'
import { count } from '#components/ui/count.ts'
import { durationText } from '#components/ui/time-format.ts'
import { Time } from '#components/ui/time.tsx'
import { toneFill, toneText, type Tone } from '#components/ui/tone.ts'
import type { Estimate, WebhookHealth } from '#lib/console/webhooks/types.ts'
import { lacking } from '#lib/shared/provided.ts'
import { dayMs } from '#lib/shared/time.ts'
import { lengthText } from './health-labels.tsx'
import { type QueuePiece, queuePieces, type QueueSpan, queueSpans, queueSteps } from './queue-spans.ts'

const area = { width: 1000, height: 60, inset: 3 }

const stateTones: Record<string, Tone> = { healthy: 'good', unhealthy: 'warn', suspended: 'bad' }
const hoursAgo = ['24 h ago', '18 h', '12 h', '6 h', 'now']
/** How many of the latest states are written below. */
const writtenSpans = 4

function fillClass(status: QueueSpan['status']): string {
  return status === null ? 'fill-hover' : toneFill[stateTones[status] ?? 'neutral']
}

/** The depth of a queue over the last 24 hours with its scale, and the states of the webhook below it, as text too. */
export function QueueChart({
  webhook,
  nowMs,
  tone,
  name,
}: {
  webhook: Pick<WebhookHealth, 'queue' | 'queuedMessages' | 'state' | 'since'>
  nowMs: number
  tone: Tone
  name: string
}) {
  const { queue, queuedMessages: queued, state, since } = webhook
  const day = { fromMs: nowMs - dayMs, toMs: nowMs }
  const pieces = queuePieces(queue, day.fromMs, nowMs)
  const gaps = lacking(queueSpans(pieces, nowMs), 'status')
  const spans = queueSpans(pieces, nowMs, since && state !== 'healthy' ? { status: state, since } : null)
  const deepest = Math.max(queued ?? 0, ...pieces.map((piece) => piece.queued))
  const isKnown = queued !== null || pieces.length > 0
  const depths = isKnown
    ? `${queued === null ? 'not known' : count.format(queued)} now, ${count.format(deepest)} at most`
    : 'not known'
  const steps = queueSteps(pieces, { nowMs, queued, deepest })
  const scales = makeScales(steps, day, area)
  const width = ({ fromMs, toMs }: QueueSpan) => Math.max(1, scales.x(toMs) - scales.x(fromMs)).toFixed(1)
  return (
    <figure className={clsx('min-w-0', toneText[tone])}>
      <figcaption className="mb-1 flex flex-wrap justify-between gap-x-3 text-xs text-soft">
        <span>Queue, 24 h</span>
        <span className="tabular-nums">
          {deepest === 0 && queued !== null ? (
            <Empty pieces={pieces} hasGaps={gaps.length > 0} fromMs={day.fromMs} />
          ) : (
            depths
          )}
        </span>
      </figcaption>
      <div className="flex gap-2">
        <svg
          role="img"
          aria-label={`Queue of ${name} over 24 hours: ${depths}.${gaps.length > 0 ? ' Part of the time was not monitored.' : ''}`}
          viewBox={`0 0 ${area.width} ${area.height}`}
          preserveAspectRatio="none"
          className="h-16 min-w-0 flex-1"
        >
          <Grid />
          {gaps.map((gap) => (
            <rect
              key={gap.fromMs}
              x={scales.x(gap.fromMs).toFixed(1)}
              width={width(gap)}
              height={area.height}
              className={fillClass(null)}
            />
          ))}
          {splitAtGaps(steps).map((segment) => (
            <g key={segment[0]?.atMs}>
              <path d={fillPath(segment, scales, area.height - area.inset)} fill="currentColor" opacity="0.14" />
              <ChartLine segment={segment} scales={scales} />
            </g>
          ))}
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
            <rect width={area.width} height="4" className={fillClass(null)} />
            {spans.map((span) => (
              <rect
                key={span.fromMs}
                x={scales.x(span.fromMs).toFixed(1)}
                width={width(span)}
                height="4"
                className={fillClass(span.status)}
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
          {spans.slice(-writtenSpans).map(({ fromMs, toMs, status }, index, written) => (
            <li key={fromMs} className="flex items-center gap-1.5">
              <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2 shrink-0">
                <circle cx="4" cy="4" r="3.5" className={clsx(fillClass(status), status === null && 'stroke-edge')} />
              </svg>
              {status ?? 'not watched'}{' '}
              {index === written.length - 1 && status === state && since
                ? presentText(since, { fromMs, toMs }, nowMs)
                : durationText(toMs - fromMs)}
            </li>
          ))}
        </ol>
      )}
    </figure>
  )
}

/** How long the present state has lasted; at least, where it may have begun while nobody watched. */
function presentText(since: Estimate, { fromMs, toMs }: Omit<QueueSpan, 'status'>, nowMs: number): string {
  return since.basis === 'bounds' ? `at least ${durationText(toMs - fromMs)}` : lengthText(since, nowMs)
}

/** An empty queue is described as far as there are readings. */
function Empty({
  pieces,
  hasGaps,
  fromMs,
}: {
  pieces: readonly QueuePiece[]
  hasGaps: boolean
  fromMs: number
}): ReactNode {
  const [first] = pieces
  if (!first) return 'empty now'
  if (hasGaps) return 'no backlog'
  if (first.fromMs <= fromMs) return 'empty all the time'
  return (
    <>
      empty since <Time instant={first.fromMs} format="time" />, when monitoring began
    </>
  )
}

function Grid() {
  const base = area.height - area.inset
  return (
    <g className="stroke-line">
      {[area.inset, base].map((y) => (
        <line key={y} x1="0" x2={area.width} y1={y} y2={y} vectorEffect="non-scaling-stroke" />
      ))}
      {[0.25, 0.5, 0.75].map((share) => (
        <line
          key={share}
          x1={share * area.width}
          x2={share * area.width}
          y1={area.inset}
          y2={base}
          strokeDasharray="2 3"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </g>
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
