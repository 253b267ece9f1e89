import type { ChartPoint } from '#components/ui/chart.tsx'
import type { Estimate, QueuePoint } from '#lib/console/webhooks/types.ts'
import { minuteMs } from '#lib/shared/time.ts'

/** The console polls at least four times a minute: where this long passed without a poll, it did not run. */
const gapMs = 10 * minuteMs

/** A time without a break: the depth and the state as they were read. */
export type QueuePiece = { fromMs: number; toMs: number; queued: number; status: string }

/** A time with one state; null where there are no readings. */
export type QueueSpan = { fromMs: number; toMs: number; status: string | null }

/** The readings since `startMs`, piece by piece: each holds until the next, but not over a break. */
export function queuePieces(points: readonly QueuePoint[], startMs: number, nowMs: number): QueuePiece[] {
  let readMs = 0
  return points
    .map((point, index) => {
      const nextMs = points[index + 1]?.fromMs ?? nowMs
      readMs = Math.max(readMs, point.toMs)
      return { ...point, toMs: Math.max(point.fromMs, nextMs - readMs <= gapMs ? nextMs : readMs) }
    })
    .filter(({ toMs }) => toMs >= startMs)
    .map((piece) => ({ ...piece, fromMs: Math.max(piece.fromMs, startMs) }))
}

/**
 * Consecutive states up to now, and the gaps without a reading. `present` is a failure that continues: it is drawn from
 * the estimated start that the figures show, and the time within the estimate's bounds is drawn as unknown.
 */
export function queueSpans(
  pieces: readonly QueuePiece[],
  nowMs: number,
  present: { status: string; since: Estimate } | null = null,
): QueueSpan[] {
  const observed: QueueSpan[] = []
  for (const { fromMs, toMs, status } of pieces) {
    const beforeMs = observed.at(-1)?.toMs ?? fromMs
    if (beforeMs < fromMs) append(observed, { fromMs: beforeMs, toMs: fromMs, status: null })
    append(observed, { fromMs, toMs, status })
  }
  const [first, last] = [observed.at(0), observed.at(-1)]
  if (!first || !last) return []
  const spans = present ? withPresent(observed, present, { fromMs: first.fromMs, toMs: last.toMs }) : observed
  append(spans, { fromMs: last.toMs, toMs: nowMs, status: null })
  return spans.filter(({ fromMs, toMs }) => toMs > fromMs)
}

function withPresent(
  observed: readonly QueueSpan[],
  { status, since }: { status: string; since: Estimate },
  { fromMs, toMs }: { fromMs: number; toMs: number },
): QueueSpan[] {
  const within = (atMs: number) => Math.min(toMs, Math.max(fromMs, atMs))
  const isBounded = since.basis === 'bounds'
  const beforeMs = within(isBounded ? since.earliestMs : since.atMs)
  const beginsMs = within(isBounded ? since.latestMs : since.atMs)
  const spans = observed
    .filter((span) => span.fromMs < beforeMs)
    .map((span) => ({ ...span, toMs: Math.min(span.toMs, beforeMs) }))
  append(spans, { fromMs: beforeMs, toMs: beginsMs, status: null })
  append(spans, { fromMs: beginsMs, toMs, status })
  return spans
}

/** Neighbours of one state are one span. */
function append(spans: QueueSpan[], span: QueueSpan): void {
  const last = spans.at(-1)
  if (last?.status === span.status) last.toMs = Math.max(last.toMs, span.toMs)
  else spans.push({ ...span })
}

/**
 * The depth in steps for drawing, from 0 to `deepest`; where the last poll is recent, it ends with the present depth.
 */
export function queueSteps(
  pieces: readonly QueuePiece[],
  { nowMs, queued, deepest }: { nowMs: number; queued: number | null; deepest: number },
): ChartPoint[] {
  const level = { low: 0, high: Math.max(1, deepest), isAfterGap: false }
  const steps = pieces.flatMap((piece, index) => {
    const isAfterGap = (pieces[index - 1]?.toMs ?? piece.fromMs) < piece.fromMs
    const value = piece.queued
    return [
      { ...level, value, atMs: piece.fromMs, isAfterGap },
      { ...level, value, atMs: piece.toMs },
    ]
  })
  return queued !== null && pieces.at(-1)?.toMs === nowMs ? [...steps, { ...level, value: queued, atMs: nowMs }] : steps
}
