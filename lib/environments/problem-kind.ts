import type { ServiceError } from '#lib/client/service-error.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { isMissingEndpoint } from './missing-endpoint.ts'
import type { EndpointProblemKind } from './types.ts'

const unreadableCodes: readonly (string | null)[] = ['RESPONSE_UNREADABLE', 'REDIRECTED', 'RESPONSE_TOO_LARGE']

/** No response arrived within the time limit, or none was requested because of such timeouts. */
const timeoutCodes: readonly (string | null)[] = ['TIMED_OUT', 'CIRCUIT_OPEN']

/** `lost`: the service may have had the request. `slow`: it took longer than its time limit. */
export type AbsenceKind = 'unreachable' | 'lost' | 'slow'

/** What a failed request says: of its endpoint, or of the whole service. Null for a business error, which says nothing of either. */
export function problemKind(name: EndpointName, error: ServiceError): EndpointProblemKind | AbsenceKind | null {
  const { status, code } = error
  if (status === 401 || status === 403) return 'rejected'
  if (isMissingEndpoint(name, error)) return 'missing'
  if (unreadableCodes.includes(code) && status !== null) return 'unreadable'
  if (code === 'RESPONSE_UNEXPECTED' || code === 'REQUEST_TOO_LONG') return 'unexpected'
  if (timeoutCodes.includes(code) && status === null) return 'slow'
  if (status === 500 || code === 'CONNECTION_LOST') return 'lost'
  return status === null || status >= 500 ? 'unreachable' : null
}
