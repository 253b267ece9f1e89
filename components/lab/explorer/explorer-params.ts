import { parseAsString, parseAsStringLiteral } from 'nuqs/server'

/** What the URL of the explorer keeps. What is entered in a form is not part of it: it may be secret. */
export const explorerParams = {
  endpoint: parseAsString,
  view: parseAsStringLiteral(['requests'] as const),
  method: parseAsStringLiteral(['GET', 'POST'] as const),
  failed: parseAsStringLiteral(['true'] as const),
  /** The request id of the recent request that is shown. */
  open: parseAsString,
}
