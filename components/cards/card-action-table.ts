import { BadgeCheck, Ban, CirclePause, CirclePlay, KeyRound, Lock, LockOpen, type LucideIcon } from 'lucide-react'
import type { ActingPerson } from '#components/environment/use-permissions.ts'
import { type CardAction, cardActions, cardTransition } from '#lib/contract/card-actions.ts'
import type { CardStatus } from '#lib/contract/terms.ts'

/** The fields of a dialog beside the reason. Digits are named as the action's input names them. */
export type CardActionField =
  | {
      kind: 'digits'
      name: 'last6' | 'pin' | 'pinAgain'
      label: string
      hint?: string
      isSecret?: true
      sameAs?: string
    }
  | { kind: 'expiry' }

export type CardActionUi = {
  icon: LucideIcon
  tone: 'accent' | 'neutral' | 'bad'
  /** Where the contract's table has the last four digits confirm the action, they are typed as well. */
  confirmationLevel: 'light' | 'moderate'
  /** Effect of the action, shown before it. */
  consequence: string
  /** The button that changes nothing. */
  keepLabel: string
  /** Pending charges are not affected; the dialog shows how many there are and their sum. */
  showsPendingCharges?: true
  fields?: readonly CardActionField[]
  /** Why the status does not allow it, one sentence for each status that the contract refuses. */
  refused: Partial<Record<CardStatus, string>>
}

/** What a card's page offers by `?action=`: the contract's actions, and what takes more than one request or changes nothing. */
export const cardDeeds = [...cardActions, 'reveal', 'lost', 'replace'] as const
export type CardDeed = (typeof cardDeeds)[number]

/** A deed as a button, a line of a menu or a command. */
export type OfferedDeed = {
  action: CardDeed
  label: string
  icon: LucideIcon
  tone: CardActionUi['tone']
  unavailable: string | undefined
  open: () => void
}

/** Why the number of a card in this status cannot be revealed. */
export const notRevealed: ReadonlyMap<string, string> = new Map([
  ['pending-issue', 'Not issued yet, so there is no number to show.'],
  ['cancelled', 'The card is cancelled.'],
])

/** One reason for every action, so that it is written once. */
export const cancelledForGood = 'Cancelled cards can’t be changed.'

/** How each action of the contract's table looks and what its dialog says, in the order of the buttons. */
export const cardActionUi: Record<CardAction, CardActionUi> = {
  lock: {
    icon: Lock,
    tone: 'accent',
    confirmationLevel: 'light',
    consequence: 'New charges are declined immediately. Support can unlock it at any time.',
    showsPendingCharges: true,
    keepLabel: 'Keep it unlocked',
    refused: {
      locked: 'Already locked.',
      suspended: 'Suspended by operations; only an active card can be locked.',
      'pending-issue': 'Not issued yet; only an active card can be locked.',
      'pending-activation': 'Not activated yet; only an active card can be locked.',
      cancelled: cancelledForGood,
    },
  },
  unlock: {
    icon: LockOpen,
    tone: 'neutral',
    confirmationLevel: 'light',
    consequence: 'New charges are allowed again immediately, within the card’s limits.',
    keepLabel: 'Keep it locked',
    refused: {
      active: 'Not locked.',
      suspended: 'Suspended by operations — use Unsuspend.',
      'pending-issue': 'Not issued yet, so not locked.',
      'pending-activation': 'Not activated yet, so not locked.',
      cancelled: cancelledForGood,
    },
  },
  suspend: {
    icon: CirclePause,
    tone: 'neutral',
    confirmationLevel: 'moderate',
    consequence: 'New charges are declined immediately. Only Unsuspend lifts it; an earlier lock stays in place.',
    showsPendingCharges: true,
    keepLabel: 'Keep card',
    refused: {
      suspended: 'Already suspended.',
      'pending-issue': 'Not issued yet; only an active or locked card can be suspended.',
      'pending-activation': 'Not activated yet; only an active or locked card can be suspended.',
      cancelled: cancelledForGood,
    },
  },
  unsuspend: {
    icon: CirclePlay,
    tone: 'accent',
    confirmationLevel: 'light',
    consequence: 'The card becomes Active, or goes back to Locked if it was locked before.',
    keepLabel: 'Keep it suspended',
    refused: {
      active: 'Not suspended.',
      locked: 'Not suspended — use Unlock.',
      'pending-issue': 'Not issued yet, so not suspended.',
      'pending-activation': 'Not activated yet, so not suspended.',
      cancelled: cancelledForGood,
    },
  },
  activate: {
    icon: BadgeCheck,
    tone: 'accent',
    confirmationLevel: 'light',
    consequence: 'Charges are allowed immediately. Read the digits and the expiry from the card itself.',
    fields: [{ kind: 'digits', name: 'last6', label: 'Last six digits of the card number' }, { kind: 'expiry' }],
    keepLabel: 'Not now',
    refused: {
      active: 'Already activated.',
      locked: 'Already activated; it is locked.',
      suspended: 'Already activated; it is suspended.',
      'pending-issue': 'Not issued yet; it can be activated once it is.',
      cancelled: cancelledForGood,
    },
  },
  'change-pin': {
    icon: KeyRound,
    tone: 'neutral',
    confirmationLevel: 'light',
    consequence: 'The old PIN stops working immediately. The new one is not stored here.',
    fields: [
      { kind: 'digits', name: 'pin', label: 'New PIN', isSecret: true, hint: 'Six digits' },
      { kind: 'digits', name: 'pinAgain', label: 'New PIN again', isSecret: true, sameAs: 'pin' },
    ],
    keepLabel: 'Keep PIN',
    refused: {
      locked: 'Locked; the PIN changes only while the card is active.',
      suspended: 'Suspended; the PIN changes only while the card is active.',
      'pending-issue': 'Not issued yet; there is no PIN to change.',
      'pending-activation': 'Not activated yet; the PIN changes only while the card is active.',
      cancelled: cancelledForGood,
    },
  },
  cancel: {
    icon: Ban,
    tone: 'bad',
    confirmationLevel: 'moderate',
    consequence: 'This can’t be undone. The card stops working immediately, and a new card has to be issued.',
    keepLabel: 'Keep card',
    showsPendingCharges: true,
    refused: { cancelled: cancelledForGood },
  },
}

/** The actions that stop a card. They stay available in a status that the console does not know: the service decides. */
const stoppingActions: readonly CardAction[] = ['lock', 'suspend', 'cancel']

/** Why an action that the last four digits confirm is not possible. */
export const noDigits = 'The card service did not provide the last four digits that confirm this.'

export const permissionsLoading = 'Your permissions are still loading.'

/** Why the status does not allow the action, or undefined where it does. */
export function errorByStatus(status: string | null, action: CardAction): string | undefined {
  const transition = cardTransition(status, action)
  if (transition === undefined) {
    if (stoppingActions.includes(action)) return undefined
    return status
      ? `Not available: the status “${status}” is unknown.`
      : 'Not available: the card service did not provide the card’s status.'
  }
  if ('to' in transition) return undefined
  return cardActionUi[action].refused[status as CardStatus] ?? `Not possible while the card is ${status}.`
}

/**
 * Why the action cannot be taken now, or undefined where it can. The status comes before the role, since it holds for
 * everybody; a person who may act on no card at all reads that alone.
 */
export function unavailability(
  action: CardAction,
  status: string | null,
  { may, denied }: ActingPerson,
): string | undefined {
  const needed = `cards.${action}` as const
  const byRole = denied(needed)
  if (byRole !== undefined && !cardActions.some((one) => may.has(`cards.${one}`))) return byRole
  const byStatus = errorByStatus(status, action)
  if (byStatus !== undefined) return byStatus
  return may.has(needed) ? undefined : (byRole ?? permissionsLoading)
}
