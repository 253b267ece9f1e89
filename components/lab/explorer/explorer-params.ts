import { parseAsString, parseAsStringLiteral } from 'nuqs/server'

/** The URL parameters of the explorer. Form entries are not among them, since they may be secret. */
export const explorerParams = {
  endpoint: parseAsString,
  view: parseAsStringLiteral(['requests'] as const),
  method: parseAsStringLiteral(['GET', 'POST'] as const),
  failed: parseAsStringLiteral(['true'] as const),
  /** The request ID of the recent request that is shown. */
  open: parseAsString,
}
