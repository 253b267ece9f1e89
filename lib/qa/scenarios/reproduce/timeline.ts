import { dayMs, secondMs } from '#lib/shared/time.ts'

/** A step of a scenario file. */
export type FileStep = Record<string, unknown>

/** Steps that belong to a moment: milliseconds of the original's clock before it was read, as a negative number. */
export type Moment = { atMs: number; steps: readonly FileStep[] }

/**
 * The steps in their order, with a move of the clock before each moment, so that the distances between them are the original's. Two
 * moments are at least a second apart: lists have one order then. The last move ends where the original was read.
 */
export function onTimeline(moments: readonly Moment[]): { steps: FileStep[]; spanMs: number } {
  const sorted = moments.toSorted((one, other) => one.atMs - other.atMs)
  const startMs = inSeconds(sorted[0]?.atMs ?? 0)
  let nowMs = startMs
  const steps: FileStep[] = []
  const moveTo = (atMs: number) => {
    if (atMs <= nowMs) return
    steps.push({ control: 'POST /clock', body: { advance: formatIsoDuration(atMs - nowMs) } })
    nowMs = atMs
  }
  for (const [index, moment] of sorted.entries()) {
    moveTo(index === 0 ? startMs : Math.max(inSeconds(moment.atMs), nowMs + secondMs))
    steps.push(...moment.steps)
  }
  moveTo(0)
  return { steps, spanMs: nowMs - startMs }
}

function inSeconds(ms: number): number {
  return Math.floor(ms / secondMs) * secondMs
}

/** An ISO 8601 duration of whole seconds. */
export function formatIsoDuration(ms: number): string {
  const [days, ofDay] = [Math.floor(ms / dayMs), Math.round((ms % dayMs) / secondMs)]
  const [hours, minutes, seconds] = [Math.floor(ofDay / 3600), Math.floor((ofDay % 3600) / 60), ofDay % 60]
  const time = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${seconds ? `${seconds}S` : ''}`
  return `P${days ? `${days}D` : ''}${time ? `T${time}` : ''}`
}
