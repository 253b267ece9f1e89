import { z } from 'zod'
import type { CardAction } from '#lib/contract/card-transitions.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { ActionInput } from '../desk/operations/act.ts'
import type { OperationKind } from '../desk/operations/kinds.ts'
import { plainText, ServiceId, wholeNumber } from '../desk/parse.ts'
import type { Permission } from '../desk/permissions.ts'

/** Why a card is acted on; `other` wants a comment. */
export const cardReasons = [
  'cardholder-request',
  'lost-or-stolen',
  'suspected-fraud',
  'card-found',
  'resolved',
  'program-policy',
  'other',
] as const
export type CardReason = (typeof cardReasons)[number]

/** What a form leaves empty counts as absent. */
const empty = z.literal('').transform(() => undefined)

const CardActionInput = ActionInput.extend({
  cardAccountId: ServiceId,
  cardId: ServiceId,
  reason: z.enum(cardReasons, 'must be one of the listed reasons').or(empty).optional(),
  comment: plainText(500)
    .refine((text) => !holdsCardNumber(text), 'must not hold a card number')
    .transform((text) => text.trim() || undefined)
    .optional(),
})

const ConfirmedInput = CardActionInput.extend({
  /** The last four digits of the card, typed by the person. */
  confirmLast4: z
    .string('must be the last four digits of the card')
    .regex(/^\d{4}$/, 'must be the last four digits of the card'),
})

const ActivationInput = CardActionInput.extend({
  last6: z
    .string('must be the last six digits of the card')
    .regex(/^\d{6}$/, 'must be the last six digits of the card'),
  expiryMonth: wholeNumber('must be a month from 1 to 12', 1, 12),
  expiryYear: wholeNumber('must be a year of four digits', 2000, 9999),
})

const PinInput = CardActionInput.extend({
  pin: z.string('must be exactly six digits').regex(/^\d{6}$/, 'must be exactly six digits'),
})

export type CardActionInput = z.input<typeof CardActionInput>
export type CancelCardInput = z.input<typeof ConfirmedInput>
export type ActivateCardInput = z.input<typeof ActivationInput>
export type ChangePinInput = z.input<typeof PinInput>

/** Any action's input after parsing. */
export type ParsedCardInput = z.output<typeof CardActionInput> &
  Partial<
    Pick<z.output<typeof ConfirmedInput>, 'confirmLast4'> &
      Pick<z.output<typeof ActivationInput>, 'last6' | 'expiryMonth' | 'expiryYear'> &
      Pick<z.output<typeof PinInput>, 'pin'>
  >

type Row = {
  kind: OperationKind
  permission: Permission
  endpoint: EndpointName
  input: z.ZodType<ParsedCardInput>
  /** Stops the card for its holder or for good: staff have to say why. */
  needsReason: boolean
  /** The body has a PIN or digits of the card number in it. */
  holdsSecret: boolean
  /** Fields of the body beside the two ids, in this order. */
  sends: readonly ('last6' | 'expiryMonth' | 'expiryYear' | 'pin')[]
}

/** What each action needs and sends. */
export const cardActionTable: Record<CardAction, Row> = {
  lock: row('card.lock', 'cards.lock', 'lockCard', CardActionInput),
  unlock: row('card.unlock', 'cards.unlock', 'unlockCard', CardActionInput),
  suspend: { ...row('card.suspend', 'cards.suspend', 'suspendCard', CardActionInput), needsReason: true },
  unsuspend: { ...row('card.unsuspend', 'cards.unsuspend', 'unsuspendCard', CardActionInput), needsReason: true },
  cancel: { ...row('card.cancel', 'cards.cancel', 'cancelCard', ConfirmedInput), needsReason: true },
  activate: {
    ...row('card.activate', 'cards.activate', 'activateCard', ActivationInput),
    holdsSecret: true,
    sends: ['last6', 'expiryMonth', 'expiryYear'],
  },
  'change-pin': {
    ...row('card.change-pin', 'cards.change-pin', 'changeCardPin', PinInput),
    holdsSecret: true,
    sends: ['pin'],
  },
}

function row(kind: OperationKind, permission: Permission, endpoint: EndpointName, input: Row['input']): Row {
  return { kind, permission, endpoint, input, needsReason: false, holdsSecret: false, sends: [] }
}
