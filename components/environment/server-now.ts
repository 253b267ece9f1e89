import type { ReadResult } from '#lib/queries/reads.ts'

/**
 * What a clock of the server shows at `nowMs` of the browser's clock: it showed `shownMs` when that was `readAtMs`. The clocks of
 * people's computers differ from the server's.
 */
export function serverNowMs(shownMs: number, readAtMs: number, nowMs: number): number {
  return shownMs + nowMs - readAtMs
}

type Clock = Pick<ReadResult<'readLabState'>, 'now' | 'isFrozen'>

/** What the sandbox clock shows, in milliseconds: it runs with the real one unless it was stopped. */
export function sandboxNowMs({ now, isFrozen }: Clock, readAtMs: number, nowMs: number): number {
  const shownMs = Date.parse(now)
  return isFrozen ? shownMs : serverNowMs(shownMs, readAtMs, nowMs)
}
