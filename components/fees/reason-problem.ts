import { holdsCardNumber } from '#lib/shared/card-numbers.ts'

/** What is wrong with a reason, as the console's own rule has it, before anything is sent. */
export function reasonProblem(reason: string, isNeeded: boolean): string | undefined {
  if (isNeeded && reason === '') return 'Say why: it stands in the audit trail with every fee.'
  if (holdsCardNumber(reason)) return 'This holds what may be a card number. Leave it out.'
  return undefined
}
