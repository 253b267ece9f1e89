import { parseAsString, parseAsStringLiteral } from 'nuqs/server'

/** The URL parameters of the explorer. Form entries may be secret, so they are not in the URL. */
export const explorerParams = {
  endpoint: parseAsString,
  view: parseAsStringLiteral(['requests'] as const),
  method: parseAsStringLiteral(['GET', 'POST'] as const),
  failed: parseAsStringLiteral(['true'] as const),
  /** The request ID of the recent request that is shown. */
  open: parseAsString,
}
