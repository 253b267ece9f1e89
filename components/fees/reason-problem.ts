import { holdsCardNumber } from '#lib/shared/card-numbers.ts'

/** What is wrong with a reason, as the console's own rule has it, before anything is sent. */
export function reasonProblem(reason: string, isNeeded: boolean): string | undefined {
  if (isNeeded && reason === '') return 'Enter a reason. It’s saved in the audit log with every fee.'
  if (holdsCardNumber(reason)) return 'This holds what may be a card number. Leave it out.'
  return undefined
}
