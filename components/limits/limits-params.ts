import { parseAsString, parseAsStringLiteral } from 'nuqs/server'

/** What the address of the page keeps: which lines are shown, and of which job the rest is prepared again. */
export const limitsParams = {
  lines: parseAsStringLiteral(['left-out', 'good', 'negative'] as const),
  pageToken: parseAsString,
  job: parseAsString,
}
