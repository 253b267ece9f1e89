import 'server-only'
import { processWide } from '#lib/shared/process-wide.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs, dayMs } from '#lib/shared/time.ts'
import { requireService } from '../desk/connections/environments.ts'
import { logFailure } from '../desk/log.ts'
import { requirePermission } from '../desk/session/session.ts'
import type { ServiceClock } from '../desk/shapes.ts'
import { builtInControl, callControlPlane, type ControlPlane } from './control-plane.ts'

const newest = processWide<Map<Environment, number>>('carddeskNewestTimes', () => new Map())

/** A time further ahead of this clock is an error of the service, not its clock. */
const aheadAtMostMs = 366 * dayMs

/** Remembers a time that the service wrote: its clock cannot be behind it. */
export function noteServiceTime(environment: Environment, time: Date | null): void {
  if (!time || time.getTime() > Date.now() + aheadAtMostMs) return
  newest().set(environment, Math.max(newest().get(environment) ?? 0, time.getTime()))
}

function newestServiceTimeMs(environment: Environment): number {
  return newest().get(environment) ?? 0
}

/** Resets the newest time after the clock was set back, as a sandbox's is by a reset. */
export function forgetServiceTime(environment: Environment): void {
  newest().delete(environment)
}

export type ClockReading = { serviceAt: Date; source: 'clock' | 'responses' | 'times' }

/**
 * The service's clock. The built-in service's control plane has it, which no real service has; of any other it is
 * the date of its responses, and never behind the newest time that it wrote itself.
 */
export async function readServiceClock(environment: Environment): Promise<ClockReading> {
  const control = builtInControl(environment)
  if (control) {
    try {
      return { serviceAt: await callControl(control), source: 'clock' }
    } catch (error) {
      logFailure(error, { while: 'reading the sandbox clock' })
    }
  }
  const responsesMs = Date.now() + (requireService(environment).clockOffsetMs() ?? 0)
  const newestMs = newestServiceTimeMs(environment)
  return newestMs > responsesMs + secondMs
    ? { serviceAt: new Date(newestMs), source: 'times' }
    : { serviceAt: new Date(responsesMs), source: 'responses' }
}

/** Whether the service's clock can be moved forward by hours: then only its control plane knows the time. */
export function hasMovableClock(environment: Environment): boolean {
  return builtInControl(environment) !== null
}

/** The clock by which the service determines the age of an idempotency key; null where it is unknown at the moment. */
export async function readIdempotencyClock(environment: Environment): Promise<Date | null> {
  const { serviceAt, source } = await readServiceClock(environment)
  return hasMovableClock(environment) && source !== 'clock' ? null : serviceAt
}

async function callControl(control: ControlPlane): Promise<Date> {
  const { now } = (await callControlPlane(control, { path: '/clock' })) as { now?: string }
  const serviceAt = new Date(now ?? Number.NaN)
  if (Number.isNaN(serviceAt.getTime())) throw new Error('the control plane returned no time')
  return serviceAt
}

/** The service's clock now, for countdowns that have to follow it. */
export async function serviceClockForScreen(environment: Environment): Promise<ServiceClock> {
  await requirePermission('payouts.read', environment)
  const { serviceAt, source } = await readServiceClock(environment)
  return { serviceNowMs: serviceAt.getTime(), source }
}
