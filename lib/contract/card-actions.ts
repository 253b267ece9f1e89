import type { Reason } from '#lib/shared/reasons.ts'
import type { EndpointName } from './endpoints.ts'
import type { ErrorCode } from './errors.ts'
import { type CardStatus, cardStatuses } from './terms.ts'

/**
 * The effect of an action in a status: the next status, `unchanged`, `before-suspension` (active, or locked where the card
 * was locked when it was suspended), or the code of the error.
 */
type CardTransition = { to: CardStatus | 'unchanged' | 'before-suspension' } | { refused: ErrorCode }

/** Why a card's number is revealed. */
export const revealReasons = ['cardholder-request', 'card-activation', 'suspected-fraud', 'other'] as const
export type RevealReason = (typeof revealReasons)[number]

export type CardActionRow = {
  endpoint: EndpointName
  label: string
  /** Its button among those of one card, where the label is longer than it need be. */
  short?: string
  /** Shown once the action is done: a headline, and an explanation where it is needed. */
  done: string
  note?: string
  /** Which status allows it. The unlock row is the interface's, the others are decided. */
  transitions: Record<CardStatus, CardTransition>
  /** The reasons to choose from. */
  reasons: readonly Reason[]
  /** Stops the card, ends an operator's stop or changes the PIN: staff have to say why. */
  isReasonRequired?: true
  /** The person types the last four digits of the card. */
  isConfirmedByLast4?: true
  /** The request has a PIN or digits of the card number in it. */
  holdsSecret?: true
  /** The action that takes it back. */
  undo?: CardAction
  /** The field that an error code is about. */
  fieldsByCode?: Partial<Record<ErrorCode, 'last6' | 'expiryMonth'>>
}

const to = (status: CardStatus | 'unchanged' | 'before-suspension'): CardTransition => ({ to: status })
const refused = (code: ErrorCode): CardTransition => ({ refused: code })

/** One entry for every status except those given. */
function elsewhere(
  transition: CardTransition,
  but: Partial<Record<CardStatus, CardTransition>>,
): Record<CardStatus, CardTransition> {
  const all = Object.fromEntries(cardStatuses.map((status) => [status, transition]))
  return { ...(all as Record<CardStatus, CardTransition>), ...but }
}

/** Every action on a card: its endpoint, its rules and its messages. The service and the console are derived from it. */
export const cardActionTable = {
  lock: {
    endpoint: 'lockCard',
    label: 'Lock card',
    short: 'Lock',
    done: 'Card locked',
    note: 'Charges are declined until it’s unlocked.',
    transitions: elsewhere(refused('INACTIVE_CARD'), {
      active: to('locked'),
      locked: refused('CARD_ALREADY_LOCKED'),
    }),
    reasons: ['cardholder-request', 'lost-or-stolen', 'suspected-fraud', 'mistake', 'other'],
    undo: 'unlock',
  },
  unlock: {
    endpoint: 'unlockCard',
    label: 'Unlock card',
    short: 'Unlock',
    done: 'Card unlocked',
    note: 'It can be used again.',
    transitions: elsewhere(refused('ERROR_UNLOCK_CARD_STATUS_INVALID'), { locked: to('active') }),
    reasons: ['cardholder-request', 'card-found', 'resolved', 'mistake', 'other'],
    undo: 'lock',
  },
  suspend: {
    endpoint: 'suspendCard',
    label: 'Suspend card',
    short: 'Suspend',
    done: 'Card suspended',
    note: 'Only Unsuspend lifts it.',
    transitions: elsewhere(refused('INACTIVE_CARD'), {
      active: to('suspended'),
      locked: to('suspended'),
      suspended: refused('CARD_ALREADY_SUSPENDED'),
    }),
    reasons: ['suspected-fraud', 'lost-or-stolen', 'program-policy', 'cardholder-request', 'mistake', 'other'],
    isReasonRequired: true,
    undo: 'unsuspend',
  },
  unsuspend: {
    endpoint: 'unsuspendCard',
    label: 'Unsuspend card',
    short: 'Unsuspend',
    done: 'Suspension lifted',
    transitions: elsewhere(refused('UNSUSPENDED_CARD'), { suspended: to('before-suspension') }),
    reasons: ['resolved', 'program-policy', 'mistake', 'other'],
    isReasonRequired: true,
    undo: 'suspend',
  },
  activate: {
    endpoint: 'activateCard',
    label: 'Activate card',
    short: 'Activate',
    done: 'Card activated',
    note: 'It can be used now.',
    transitions: elsewhere(refused('UNPENDING_CARD'), { 'pending-activation': to('active') }),
    reasons: [],
    holdsSecret: true,
    fieldsByCode: { CARD_NUMBER_MISMATCH: 'last6', CARD_EXPIRY_MISMATCH: 'expiryMonth' },
  },
  'change-pin': {
    endpoint: 'changeCardPin',
    label: 'Change PIN',
    done: 'PIN changed',
    note: 'The card service accepted the new PIN.',
    transitions: elsewhere(refused('INACTIVE_CARD'), {
      active: to('unchanged'),
      'pending-issue': refused('CARD_NOT_ISSUED'),
    }),
    reasons: ['cardholder-request', 'suspected-fraud', 'program-policy', 'other'],
    isReasonRequired: true,
    holdsSecret: true,
  },
  cancel: {
    endpoint: 'cancelCard',
    label: 'Cancel card',
    done: 'Card cancelled',
    transitions: elsewhere(to('cancelled'), { cancelled: refused('CARD_ALREADY_CANCELLED') }),
    reasons: ['lost-or-stolen', 'suspected-fraud', 'cardholder-request', 'program-policy', 'other'],
    isReasonRequired: true,
    isConfirmedByLast4: true,
  },
} as const satisfies Record<string, CardActionShape>

/** A row before the names of all actions are known. */
type CardActionShape = Omit<CardActionRow, 'undo'> & { undo?: string }

export type CardAction = keyof typeof cardActionTable

/** Actions after which a card that was stopped can be charged again. */
export const releasingActions: ReadonlySet<CardAction> = new Set(['unlock', 'unsuspend', 'activate'])
export const cardActions = Object.keys(cardActionTable) as CardAction[]

export function cardActionRow(action: CardAction): CardActionRow {
  return cardActionTable[action]
}

/** The endpoints whose request has a PIN or digits of a card number in it. */
export const secretCardEndpoints: readonly EndpointName[] = cardActions
  .map(cardActionRow)
  .flatMap(({ holdsSecret, endpoint }) => (holdsSecret ? [endpoint] : []))

/** The label of an action's button among those of one card. */
export function shortLabel(action: CardAction): string {
  const { short, label } = cardActionRow(action)
  return short ?? label
}

/** The transition of a status; undefined for a status without a row, which a real service may add. */
export function cardTransition(status: string | null, action: CardAction): CardTransition | undefined {
  const { transitions } = cardActionRow(action)
  return status !== null && Object.hasOwn(transitions, status) ? transitions[status as CardStatus] : undefined
}

export function isCardAction(name: string): name is CardAction {
  return Object.hasOwn(cardActionTable, name)
}
