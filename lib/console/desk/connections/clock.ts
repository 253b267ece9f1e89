import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { readServiceClock } from '../../webhooks/service-clock.ts'
import { requirePermission } from '../session/session.ts'

/** `clock`: the service told its own clock, which somebody may move (the sandbox); otherwise it is known from its answers. */
export type ServiceClock = { serviceNowMs: number; source: 'clock' | 'answers' | 'times' }

/** The service's clock now, for countdowns that have to follow it. */
export async function serviceClockForScreen(environment: Environment): Promise<ServiceClock> {
  await requirePermission('payouts.read', environment)
  const { serviceAt, source } = await readServiceClock(environment)
  return { serviceNowMs: serviceAt.getTime(), source }
}
