import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { PageTokens } from '#lib/shared/page-tokens.ts'

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
      /** Whether requests are signed; otherwise the access key goes alone (HTTP Basic). */
      isSigned: boolean
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

/** An endpoint that failed when it was last called, at `lastAt`. `since` is the first failure without a success in between. */
export type EndpointProblem = ServiceProblem & {
  name: EndpointName
  kind: EndpointProblemKind
  since: string
  lastAt: string
}

/** Where a response comes from: the service just now, or the console's index as it was at `asOf`. */
export type Freshness = { asOf: string; source: 'service' | 'index'; health: ServiceHealth }

/** A page that comes straight from the service. */
export type ServicePage = PageTokens & {
  /** Records of this page that could not be read: they have no usable id. */
  excluded: number
  /** Records that the service sent and the filter does not name. */
  unmatched: number
  freshness: Freshness
}

/** `clock`: the service has a clock to read, which may be moved (the sandbox); otherwise it is known from its responses. */
export type ServiceClock = { serviceNowMs: number; source: 'clock' | 'responses' | 'times' }

/**
 * The means by which a sandbox simulates: `built-in` has the control plane of Carddesk's own service, `interface` only the simulators that the
 * interface has. Null: nothing is simulated here.
 */
export type Lab = 'built-in' | 'interface' | null
