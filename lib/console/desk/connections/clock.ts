import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { readServiceClock } from '../../webhooks/service-clock.ts'
import { requirePermission } from '../session/session.ts'

/** `clock`: the service has a clock to read, which may be moved (the sandbox); otherwise it is known from its responses. */
export type ServiceClock = { serviceNowMs: number; source: 'clock' | 'responses' | 'times' }

/** The service's clock now, for countdowns that have to follow it. */
export async function serviceClockForScreen(environment: Environment): Promise<ServiceClock> {
  await requirePermission('payouts.read', environment)
  const { serviceAt, source } = await readServiceClock(environment)
  return { serviceNowMs: serviceAt.getTime(), source }
}
