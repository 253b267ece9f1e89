import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { requireService } from '../desk/connections/environments.ts'
import { logFailure } from '../desk/log.ts'
import { callControlPlane, type ControlPlane } from './control-plane.ts'
import { newestServiceTimeMs } from './newest-time.ts'
import { builtInControl } from './settings.ts'

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

/** The clock by which the service judges the age of an idempotency key; null where it cannot be known at the moment. */
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
