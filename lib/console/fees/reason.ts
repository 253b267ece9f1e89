import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { plainText } from '../desk/parse.ts'

export const reasonLength = 300

/** Why fees are waived, in the person's own text; blank counts as none. */
export const Reason = plainText(reasonLength)
  .refine((text) => !holdsCardNumber(text), 'must not hold a card number')
  .transform((text) => text.trim() || null)
