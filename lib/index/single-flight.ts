import 'server-only'
import { inBackground } from '#lib/environments/background.ts'
import { isAppError, isUnreachable } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure } from '#lib/shared/log.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'

const readings = globalSingleton<Map<string, Promise<void>>>('carddeskReadings', () => new Map())

/**
 * After each failure in a row the pause doubles, up to half a minute. Only a reading that takes long before it fails, at a service
 * that responds, may pause for longer: three times as long as it took, up to five minutes.
 */
const firstPauseMs = 5 * secondMs
const usualPauseMs = 30 * secondMs
const longestPauseMs = 5 * minuteMs
const pausePerWork = 3

type Pause = { failures: number; until: number }
const pauses = globalSingleton<Map<string, Pause>>('carddeskReadingPauses', () => new Map())

/** Whether readings of this name wait after a failure. */
export function isPaused(name: string): boolean {
  return Date.now() < (pauses().get(name)?.until ?? 0)
}

/** Starts the work, unless work of this name is under way: its promise is then shared. Unlike `singleFlight`, it may reject. */
export function shareRunning<Value>(
  running: Map<string, Promise<Value>>,
  name: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const already = running.get(name)
  if (already) return already
  const promise = work().finally(() => running.delete(name))
  running.set(name, promise)
  return promise
}

/**
 * Runs one sync of this name at a time in this process, and none during the pause after a failure. Never rejects: a
 * failure leaves the index unchanged.
 */
export function singleFlight(name: string, work: () => Promise<unknown>): Promise<void> {
  if (!readings().has(name) && isPaused(name)) return Promise.resolve()
  return shareRunning(readings(), name, () => runOrPause(name, work))
}

async function runOrPause(name: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = Date.now()
  try {
    await inBackground(work)
    pauses().delete(name)
  } catch (error) {
    const failures = (pauses().get(name)?.failures ?? 0) + 1
    const lostMs = isUnreachable(error) ? 0 : (Date.now() - startedAt) * pausePerWork
    const mostMs = Math.min(Math.max(usualPauseMs, lostMs), longestPauseMs)
    const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 10), mostMs)
    pauses().set(name, { failures, until: Date.now() + pauseMs })
    if (!isAppError(error)) logFailure(error, { while: name })
  }
}

/** Waits for the readings under way in this process. */
export async function readingsDone(): Promise<void> {
  await Promise.all(readings().values())
}
