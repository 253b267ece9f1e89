import { holdsCardNumber } from '#lib/shared/card-numbers.ts'

/** What a field says to a text that may be a card number, before anything is asked; `instead` is what to do. */
export function refuseCardNumber(text: string, instead = 'It isn’t searched, stored or logged.'): string | undefined {
  return holdsCardNumber(text) ? `This looks like a card number. ${instead}` : undefined
}
