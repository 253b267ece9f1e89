import { refuseCardNumber } from '#components/filters/refuse-card-number.ts'

/** What is wrong with a search text, before any request. */
export function findProblem(text: string): string | undefined {
  return refuseCardNumber(text) ?? (text.length > 256 ? 'An external id has at most 256 characters.' : undefined)
}
