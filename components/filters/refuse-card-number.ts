import { holdsCardNumber } from '#lib/shared/card-numbers.ts'

/** A field's error for a text that may be a card number, before any request; `instead` is what to do. */
export function refuseCardNumber(text: string, instead = 'It isn’t searched, stored or logged.'): string | undefined {
  return holdsCardNumber(text) ? `This looks like a card number. ${instead}` : undefined
}
