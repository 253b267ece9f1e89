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
 * Decision: the limits of a card that has none of its own, as a new card: the largest whole amount that a JSON number
 * carries. It is a thousand times what the limit of an account can be, so it never binds.
 */
export const unboundCardLimit = 999_999_999_999_999
