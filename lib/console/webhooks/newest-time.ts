import { processWide } from '#lib/shared/process-wide.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs } from '#lib/shared/time.ts'

const newest = processWide<Map<Environment, number>>('carddeskNewestTimes', () => new Map())

/** A time further ahead of this clock is an error of the service, not its clock. */
const aheadAtMostMs = 366 * dayMs

/** Remembers a time that the service wrote: its clock cannot be behind it. */
export function noteServiceTime(environment: Environment, time: Date | null): void {
  if (!time || time.getTime() > Date.now() + aheadAtMostMs) return
  newest().set(environment, Math.max(newest().get(environment) ?? 0, time.getTime()))
}

export function newestServiceTimeMs(environment: Environment): number {
  return newest().get(environment) ?? 0
}

/** The clock was set back (a sandbox after a reset): what was newer says nothing any more. */
export function forgetServiceTime(environment: Environment): void {
  newest().delete(environment)
}
