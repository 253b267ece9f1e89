/** The interface's list of a card's statuses. */
export const cardStatuses = [
  'active',
  'pending-issue',
  'pending-activation',
  'locked',
  'suspended',
  'cancelled',
] as const
export type CardStatus = (typeof cardStatuses)[number]

/**
 * Decision: the limits of a card without limits of its own: the largest whole amount that a JSON number carries. It is
 * a thousand times the highest limit of an account, so it never restricts a charge.
 */
export const unboundCardLimit = 999_999_999_999_999
