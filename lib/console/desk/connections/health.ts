import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { withBareFailures } from '../bare-failure.ts'
import { requireCurrentStaff } from '../session/session.ts'
import type { ServiceHealth } from '../shapes.ts'
import { healthOf } from './health-record.ts'

/** Whether an environment is connected and responds: for everybody who is signed in, since every page shows it. */
export async function readServiceHealth(environment: Environment): Promise<ServiceHealth> {
  await requireCurrentStaff()
  return withBareFailures(() => healthOf(environment))
}
