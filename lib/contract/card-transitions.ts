import type { ErrorCode } from './errors.ts'

/** `active`, `pending-issue`, `pending-activation`, `locked`, `suspended`, `cancelled`: the interface's list. */
export const cardStatuses = [
  'active',
  'pending-issue',
  'pending-activation',
  'locked',
  'suspended',
  'cancelled',
] as const
export type CardStatus = (typeof cardStatuses)[number]

export const cardActions = ['lock', 'unlock', 'suspend', 'unsuspend', 'activate', 'cancel', 'change-pin'] as const
export type CardAction = (typeof cardActions)[number]

/**
 * What an action does in a status: the next status, `unchanged`, `before-suspension` (active, or locked where the card
 * was locked when it was suspended), or the code of the refusal.
 */
export type CardTransition = { to: CardStatus | 'unchanged' | 'before-suspension' } | { refused: ErrorCode }

const to = (status: CardStatus | 'unchanged' | 'before-suspension'): CardTransition => ({ to: status })
const refused = (code: ErrorCode): CardTransition => ({ refused: code })

/** Which status allows which action. The unlock row is the interface's, the others are decided. */
export const cardTransitions: Record<CardStatus, Record<CardAction, CardTransition>> = {
  active: {
    lock: to('locked'),
    unlock: refused('ERROR_UNLOCK_CARD_STATUS_INVALID'),
    suspend: to('suspended'),
    unsuspend: refused('UNSUSPENDED_CARD'),
    activate: refused('UNPENDING_CARD'),
    cancel: to('cancelled'),
    'change-pin': to('unchanged'),
  },
  locked: {
    lock: refused('CARD_ALREADY_LOCKED'),
    unlock: to('active'),
    suspend: to('suspended'),
    unsuspend: refused('UNSUSPENDED_CARD'),
    activate: refused('UNPENDING_CARD'),
    cancel: to('cancelled'),
    'change-pin': refused('INACTIVE_CARD'),
  },
  suspended: {
    lock: refused('INACTIVE_CARD'),
    unlock: refused('ERROR_UNLOCK_CARD_STATUS_INVALID'),
    suspend: refused('CARD_ALREADY_SUSPENDED'),
    unsuspend: to('before-suspension'),
    activate: refused('UNPENDING_CARD'),
    cancel: to('cancelled'),
    'change-pin': refused('INACTIVE_CARD'),
  },
  'pending-issue': {
    lock: refused('INACTIVE_CARD'),
    unlock: refused('ERROR_UNLOCK_CARD_STATUS_INVALID'),
    suspend: refused('INACTIVE_CARD'),
    unsuspend: refused('UNSUSPENDED_CARD'),
    activate: refused('UNPENDING_CARD'),
    cancel: to('cancelled'),
    'change-pin': refused('CARD_NOT_ISSUED'),
  },
  'pending-activation': {
    lock: refused('INACTIVE_CARD'),
    unlock: refused('ERROR_UNLOCK_CARD_STATUS_INVALID'),
    suspend: refused('INACTIVE_CARD'),
    unsuspend: refused('UNSUSPENDED_CARD'),
    activate: to('active'),
    cancel: to('cancelled'),
    'change-pin': refused('INACTIVE_CARD'),
  },
  cancelled: {
    lock: refused('INACTIVE_CARD'),
    unlock: refused('ERROR_UNLOCK_CARD_STATUS_INVALID'),
    suspend: refused('INACTIVE_CARD'),
    unsuspend: refused('UNSUSPENDED_CARD'),
    activate: refused('UNPENDING_CARD'),
    cancel: refused('CARD_ALREADY_CANCELLED'),
    'change-pin': refused('INACTIVE_CARD'),
  },
}

/** The transition of a status, or undefined for a status that this table does not know (a real service may add one). */
export function cardTransition(status: string, action: CardAction): CardTransition | undefined {
  return Object.hasOwn(cardTransitions, status) ? cardTransitions[status as CardStatus][action] : undefined
}
