import { BadgeCheck, Ban, CirclePause, CirclePlay, KeyRound, Lock, LockOpen, type LucideIcon } from 'lucide-react'
import {
  activateCard,
  cancelCard,
  changePin,
  lockCard,
  suspendCard,
  unlockCard,
  unsuspendCard,
} from '#lib/actions/cards.ts'
import type { CardActionInput, CardActionResult, CardReason } from '#lib/console/cards/actions.ts'
import type { Permission } from '#lib/console/desk/permissions.ts'
import type { CardAction } from '#lib/contract/card-transitions.ts'

/** What a dialog asks for beside the confirmation. Digits are named as the action's input names them. */
export type CardActionField =
  | { kind: 'digits'; name: string; label: string; digits: number; hint?: string; isSecret?: true; sameAs?: string }
  | { kind: 'expiry' }
  | { kind: 'reason'; reasons: readonly CardReason[]; isRequired?: true }

export type CardActionRow = {
  id: CardAction
  label: string
  icon: LucideIcon
  tone: 'accent' | 'neutral' | 'bad'
  /** `high` wants the last four digits typed. */
  grade: 'light' | 'moderate' | 'high'
  permission: Permission
  /** What will happen, before anything happens. */
  consequence: string
  /** The answer that changes nothing. */
  keepLabel: string
  confirmLabel: string
  /** Charges that were authorized before go on, and the dialog says how many and how much. */
  showsPendingCharges: boolean
  fields: readonly CardActionField[]
  run: (input: CardActionInput, values: FormData) => Promise<CardActionResult>
}

export const reasonWords: Record<CardReason, string> = {
  'cardholder-request': 'Cardholder asked for it',
  'lost-or-stolen': 'Lost or stolen',
  'suspected-fraud': 'Suspected fraud',
  'card-found': 'Card was found',
  resolved: 'The case is resolved',
  'program-policy': 'Program policy',
  other: 'Other (say what)',
}

function text(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}

/**
 * Everything that can be done to a card: read by the card page, the row menus, the command palette and the tests. Which
 * status allows which is `lib/contract/card-transitions.ts`; who may, the person's permissions.
 */
export const cardActionTable: readonly CardActionRow[] = [
  {
    id: 'lock',
    label: 'Lock',
    icon: Lock,
    tone: 'accent',
    grade: 'light',
    permission: 'cards.lock',
    consequence: 'New charges are declined at once. It can be unlocked at any time, also by support.',
    keepLabel: 'Do not lock',
    confirmLabel: 'Lock card',
    showsPendingCharges: true,
    fields: [{ kind: 'reason', reasons: ['cardholder-request', 'lost-or-stolen', 'suspected-fraud', 'other'] }],
    run: (input) => lockCard(input),
  },
  {
    id: 'unlock',
    label: 'Unlock',
    icon: LockOpen,
    tone: 'accent',
    grade: 'light',
    permission: 'cards.unlock',
    consequence: 'New charges are allowed again at once, within the card’s limits.',
    keepLabel: 'Keep it locked',
    confirmLabel: 'Unlock card',
    showsPendingCharges: false,
    fields: [{ kind: 'reason', reasons: ['cardholder-request', 'card-found', 'resolved', 'other'] }],
    run: (input) => unlockCard(input),
  },
  {
    id: 'suspend',
    label: 'Suspend',
    icon: CirclePause,
    tone: 'neutral',
    grade: 'moderate',
    permission: 'cards.suspend',
    consequence:
      'The operator’s stop: new charges are declined at once, and the client’s unlock does not end it. Only Unsuspend does; a lock from before comes back then.',
    keepLabel: 'Do not suspend',
    confirmLabel: 'Suspend card',
    showsPendingCharges: true,
    fields: [
      {
        kind: 'reason',
        reasons: ['suspected-fraud', 'lost-or-stolen', 'program-policy', 'cardholder-request', 'other'],
        isRequired: true,
      },
    ],
    run: (input) => suspendCard(input),
  },
  {
    id: 'unsuspend',
    label: 'Unsuspend',
    icon: CirclePlay,
    tone: 'accent',
    grade: 'light',
    permission: 'cards.unsuspend',
    consequence: 'The suspension ends. A card that was locked before is locked again; any other is active at once.',
    keepLabel: 'Keep it suspended',
    confirmLabel: 'Unsuspend card',
    showsPendingCharges: false,
    fields: [{ kind: 'reason', reasons: ['resolved', 'program-policy', 'other'], isRequired: true }],
    run: (input) => unsuspendCard(input),
  },
  {
    id: 'activate',
    label: 'Activate',
    icon: BadgeCheck,
    tone: 'accent',
    grade: 'light',
    permission: 'cards.activate',
    consequence:
      'The card becomes active and charges are allowed at once. Read the digits and the expiry from the card itself.',
    keepLabel: 'Do not activate',
    confirmLabel: 'Activate card',
    showsPendingCharges: false,
    fields: [
      { kind: 'digits', name: 'last6', label: 'Last six digits of the card number', digits: 6 },
      { kind: 'expiry' },
    ],
    run: (input, values) =>
      activateCard({
        ...input,
        last6: text(values, 'last6'),
        expiryMonth: Number(text(values, 'expiryMonth')),
        expiryYear: Number(text(values, 'expiryYear')),
      }),
  },
  {
    id: 'change-pin',
    label: 'Change PIN',
    icon: KeyRound,
    tone: 'neutral',
    grade: 'light',
    permission: 'cards.change-pin',
    consequence:
      'The old PIN stops working at once. The new one is sent to the service and kept nowhere in this console.',
    keepLabel: 'Keep the PIN',
    confirmLabel: 'Change PIN',
    showsPendingCharges: false,
    fields: [
      { kind: 'digits', name: 'pin', label: 'New PIN', digits: 6, isSecret: true, hint: 'Six digits.' },
      { kind: 'digits', name: 'pinAgain', label: 'New PIN again', digits: 6, isSecret: true, sameAs: 'pin' },
    ],
    run: (input, values) => changePin({ ...input, pin: text(values, 'pin') }),
  },
  {
    id: 'cancel',
    label: 'Cancel card',
    icon: Ban,
    tone: 'bad',
    grade: 'high',
    permission: 'cards.cancel',
    consequence: 'This cannot be undone. The card stops working at once, and a new card has to be issued.',
    keepLabel: 'Keep card',
    confirmLabel: 'Cancel card',
    showsPendingCharges: true,
    fields: [
      {
        kind: 'reason',
        reasons: ['lost-or-stolen', 'suspected-fraud', 'cardholder-request', 'program-policy', 'other'],
        isRequired: true,
      },
    ],
    run: (input, values) => cancelCard({ ...input, confirmLast4: text(values, 'confirmLast4') }),
  },
]
