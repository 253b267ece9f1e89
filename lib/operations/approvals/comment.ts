import { noCardNumber, noTurning, plainText } from '#lib/shared/parse.ts'
import { longestComment } from '#lib/shared/reasons.ts'

/** A person's reason for a decision; empty where none was given. */
export const OptionalComment = plainText(longestComment)
  .transform((text) => text.trim())
  .refine(...noCardNumber)
  .refine(...noTurning)
export const RequiredComment = OptionalComment.refine((text) => text !== '', 'must be given')
