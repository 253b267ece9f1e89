import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { readServiceClock } from '../../webhooks/service-clock.ts'
import { requirePermission } from '../session/session.ts'
import type { ServiceClock } from '../shapes.ts'

/** The service's clock now, for countdowns that have to follow it. */
export async function serviceClockForScreen(environment: Environment): Promise<ServiceClock> {
  await requirePermission('payouts.read', environment)
  const { serviceAt, source } = await readServiceClock(environment)
  return { serviceNowMs: serviceAt.getTime(), source }
}
