/** Codes of a 404 that name the path rather than an object. */
const pathCodes: readonly (string | null)[] = [
  null,
  'NOT_FOUND',
  'ROUTE_NOT_FOUND',
  'PATH_NOT_FOUND',
  'ENDPOINT_NOT_FOUND',
]

/** A 404 of an unknown object bears a code of its own, such as `CARD_NOT_FOUND`; one without it means that the path is unknown. */
export function isMissingEndpoint({ status, code }: { status: number | null; code: string | null }): boolean {
  return status === 404 && pathCodes.includes(code)
}
