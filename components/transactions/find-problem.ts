import { holdsCardNumber } from '#lib/shared/card-numbers.ts'

/** What is wrong with a text that is looked for, before anything is asked. */
export function findProblem(text: string): string | undefined {
  if (holdsCardNumber(text)) return 'This looks like a card number. It is not searched for, kept or logged.'
  return text.length > 256 ? 'An external id has at most 256 characters.' : undefined
}
