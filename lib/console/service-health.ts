import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { withBareFailures } from './bare-failure.ts'
import { healthOf } from './health-record.ts'
import { requireCurrentStaff } from './session.ts'

/** Whether the service of an environment answers, by the calls of all console processes. Times are ISO 8601. */
export type ServiceHealth =
  | { connected: false; missing: readonly string[] }
  | {
      connected: true
      lastAnswerAt: string | null
      /** The first failure since the last answer; null while the service answers. */
      unreachableSince: string | null
      lastProblem: ServiceProblem | null
    }
export type ServiceProblem = { code: string | null; status: number | null; requestId: string | null }

/** Where an answer comes from: the service just now, or the console's directory as it was at `asOf`. */
export type Seen = { asOf: string; source: 'service' | 'directory'; health: ServiceHealth }

/** Whether an environment is connected and answers: for everybody who is signed in, since the frame of every page says so. */
export async function readServiceHealth(environment: Environment): Promise<ServiceHealth> {
  await requireCurrentStaff()
  return withBareFailures(() => healthOf(environment))
}
