import type { QueuePoint } from '#lib/console/webhooks/read.ts'

export type QueueSpan = { fromMs: number; toMs: number; status: string }

/** The states one after the other: neighbours of the same state are one span, the last lasts until now. */
export function queueSpans(points: readonly QueuePoint[], nowMs: number): QueueSpan[] {
  const spans: QueueSpan[] = []
  for (const { atMs, status } of points) {
    const last = spans.at(-1)
    if (last?.status === status) continue
    if (last) last.toMs = atMs
    spans.push({ fromMs: atMs, toMs: nowMs, status })
  }
  return spans
}

/** What was in force from `startMs` on: the last point before it holds from there. */
export function pointsSince(points: readonly QueuePoint[], startMs: number): QueuePoint[] {
  const before = points.findLast(({ atMs }) => atMs <= startMs)
  const later = points.filter(({ atMs }) => atMs > startMs)
  return before ? [{ ...before, atMs: startMs }, ...later] : later
}
