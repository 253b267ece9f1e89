import { endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'

/** Codes of a 404 that name the path rather than an object. */
const pathCodes: readonly (string | null)[] = [
  null,
  'NOT_FOUND',
  'ROUTE_NOT_FOUND',
  'PATH_NOT_FOUND',
  'ENDPOINT_NOT_FOUND',
]

/**
 * Whether a response means that the service has no such path. A 404 of an unknown object has a code of its own, such as
 * `CARD_NOT_FOUND`. An endpoint without parameters looks up no object, so each 404 of it is about the path.
 */
export function isMissingEndpoint(
  name: EndpointName,
  { status, code }: { status: number | null; code: string | null },
): boolean {
  return status === 404 && (pathCodes.includes(code) || !hasParameters(name))
}

function hasParameters(name: EndpointName): boolean {
  const { params, query, body } = endpointRow(name)
  return Boolean(params ?? query ?? body)
}
