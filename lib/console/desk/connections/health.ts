import 'server-only'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { withBareFailures } from '../bare-failure.ts'
import { requireCurrentStaff } from '../session/session.ts'
import { healthOf } from './health-record.ts'

/**
 * How a service responds. `rejected`: the last requests were all 401 or 403. `unreadable`: the last responses were all HTML,
 * text or a redirect. `slow`: responses take longer than a person waits. `unreachable`: no response, or a failure of the
 * service's own.
 */
export type ServiceState = 'online' | 'slow' | 'rejected' | 'unreadable' | 'unreachable'

/** How the service of an environment responds, by the requests of all console processes. Times are ISO 8601. */
export type ServiceHealth =
  | { connected: false; missing: readonly string[] }
  | {
      connected: true
      state: ServiceState
      /** Since when the service is in this state; null while it is online. */
      since: string | null
      lastResponseAt: string | null
      /** The first failure since the last response; null while the service responds. */
      unreachableSince: string | null
      lastProblem: ServiceProblem | null
      /** Endpoints whose last response could not be used, whatever the state of the service. */
      endpoints: readonly EndpointProblem[]
    }

/** A request that failed. `endpoint` is method and path; `diagnosis` says what an administrator should check. */
export type ServiceProblem = {
  endpoint: string
  status: number | null
  code: string | null
  requestId: string | null
  diagnosis: string | null
}

/**
 * `missing`: 404 without a business code. `rejected`: 401 or 403. `unreadable`: HTML, text or a redirect. `unexpected`: JSON
 * of another form, which `diagnosis` describes.
 */
export type EndpointProblemKind = 'missing' | 'rejected' | 'unreadable' | 'unexpected'
export type EndpointProblem = ServiceProblem & { name: EndpointName; kind: EndpointProblemKind; since: string }

/** Where a response comes from: the service just now, or the console's directory as it was at `asOf`. */
export type Freshness = { asOf: string; source: 'service' | 'directory'; health: ServiceHealth }

/** Whether an environment is connected and responds: for everybody who is signed in, since every page shows it. */
export async function readServiceHealth(environment: Environment): Promise<ServiceHealth> {
  await requireCurrentStaff()
  return withBareFailures(() => healthOf(environment))
}
