/** A moment by both clocks of this machine: the wall clock can be set, the monotonic one may pause while it sleeps. */
export type Stamp = { wallMs: number; monotonicMs: number }

export function stampNow(): Stamp {
  return { wallMs: Date.now(), monotonicMs: performance.now() }
}

/** Elapsed milliseconds: the larger of wall and monotonic clock, so that setting the clock back cannot shorten them. */
export function elapsedMs(since: Stamp, now: Stamp): number {
  return Math.max(0, now.wallMs - since.wallMs, now.monotonicMs - since.monotonicMs)
}
