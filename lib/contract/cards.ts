import { z } from 'zod'
import { dayMs } from '#lib/shared/time.ts'
import { endpoint } from './endpoint.ts'
import { openEnum, pageQuery, pageResponse, ResponseUuid, Timestamp, Uuid, Xid, Xmetadata } from './fields.ts'
import { cardStatuses } from './terms.ts'

export const CardProduct = z
  .object({
    id: ResponseUuid,
    name: z.string(),
    imageUrl: z.string(),
    cardType: z.string(),
    cardImageDetails: z.object({
      cardOrientation: z.string(),
      cardWidth: z.string(),
      cardHeight: z.string(),
      cardNameFontSize: z.string(),
      cardNameFontWeight: z.string(),
      cardNameLineHeight: z.string(),
      cardNameLetterSpacing: z.string(),
      cardNamePosition: z.string(),
      cardNameCoordinates: z.array(z.number()),
      cardNameColor: z.string(),
    }),
  })
  .meta({ id: 'CardProduct' })
export type CardProduct = z.infer<typeof CardProduct>

export const Card = z
  .object({
    id: ResponseUuid,
    cardAccountId: ResponseUuid,
    xid: Xid.nullable(),
    xmetadata: Xmetadata.nullable(),
    status: openEnum(cardStatuses),
    embossedName: z.string(),
    network: z.literal('card_network_1'),
    product: CardProduct,
    expiryMonth: z.int().min(1).max(12),
    expiryYear: z.int(),
    last4: z.string().regex(/^\d{4}$/),
    replacedBy: ResponseUuid.nullable(),
    cardLimit: z.number(),
    dailyAtmLimit: z.number(),
    dailyPurchaseLimit: z.number(),
    dailyLimit: z.number(),
    singleTransactionLimit: z.number(),
    availableLimit: z.number(),
    cardPresentLimit: z.number(),
    cardNotPresentLimit: z.number(),
    mobile: z.string().nullable(),
    cardEmail: z.string().nullable(),
    /** Decision: when the card was issued or ordered. The interface names no date of a card. */
    createdAt: Timestamp.nullable(),
  })
  .meta({ id: 'Card' })
export type Card = z.infer<typeof Card>

const CardTarget = z.object({ cardAccountId: Uuid, cardId: Uuid })

const ActivateCard = CardTarget.extend({
  last6: z.string('must be a string').regex(/^\d{6}$/, 'must be the last 6 digits of the card number'),
  expiryMonth: z.int('must be a whole number').min(1, 'must be 1 to 12').max(12, 'must be 1 to 12'),
  expiryYear: z
    .int('must be a whole number')
    .min(2000, 'must be a year of four digits')
    .max(9999, 'must be a year of four digits'),
})

const ChangePin = CardTarget.extend({
  pin: z.string('must be a string').regex(/^\d{6}$/, 'must be exactly 6 digits'),
})

export const IssueCard = z.object({
  type: z.enum(['virtual', 'physical'], 'must be virtual or physical'),
  cardAccountId: Uuid,
  productId: Uuid,
  embossedName: z.string('must be a string').regex(
    // A letter may carry its accents as combining marks (U+0300 to U+036F).
    /^(?=.*\p{Script=Latin})(?:\p{Script=Latin}[\u0300-\u036f]{0,2}|[ -]){1,22}$/u,
    'must be 1 to 22 Latin letters, spaces or hyphens, with at least one letter',
  ),
  xid: Xid.nullish(),
  xmetadata: Xmetadata.nullish(),
})

const SensitiveInfoLink = z.object({ expiry: Timestamp, url: z.url() }).meta({ id: 'SensitiveInfoLink' })

/** Decision: a physical card is produced in 5 days of sandbox time, and waits for its activation then. */
export const cardProductionMs = 5 * dayMs

/** Decision: the link opens once, within this time, only from `ipAddress`. */
export const sensitiveInfoLifetimeMs = 60_000

/** Fields that all actions on a card share. */
const cardAction = { method: 'POST', body: CardTarget, response: Card, cardErrors: true } as const

export const cardEndpoints = {
  listCards: endpoint({
    method: 'GET',
    path: '/cards',
    summary: 'The cards of a card account, newest first.',
    query: z.object({ cardAccountId: Uuid, cardId: Uuid.optional(), ...pageQuery }),
    response: z.object({ cards: z.array(Card), ...pageResponse }),
    errors: ['CARD_ACCOUNT_NOT_FOUND'],
  }),
  issueCard: endpoint({
    method: 'POST',
    path: '/cards',
    summary: 'Issues a card: a virtual one is active at once, a physical one is pending-issue for 5 days.',
    rules: [
      'The status of the client identity has no effect: an account that is pending or rejected gets its card as well.',
    ],
    body: IssueCard,
    response: Card,
    errors: ['CARD_ACCOUNT_NOT_FOUND', 'XID_ALREADY_EXISTS'],
  }),
  lockCard: endpoint({
    ...cardAction,
    path: '/cards/lock',
    summary: 'Locks an active card (the client’s own lock).',
    errors: ['CARD_ALREADY_LOCKED', 'INACTIVE_CARD', 'CARD_NUMBER_MISMATCH'],
  }),
  unlockCard: endpoint({
    ...cardAction,
    path: '/cards/unlock',
    summary: 'Unlocks a locked card; transactions are allowed again at once.',
    errors: ['ERROR_UNLOCK_CARD_STATUS_INVALID', 'CARD_NUMBER_MISMATCH'],
  }),
  suspendCard: endpoint({
    ...cardAction,
    path: '/cards/suspend',
    summary: 'Suspends a card (the operator’s stop); a lock underneath is remembered.',
    errors: ['CARD_ALREADY_SUSPENDED', 'INACTIVE_CARD', 'CARD_NUMBER_MISMATCH'],
  }),
  unsuspendCard: endpoint({
    ...cardAction,
    path: '/cards/unsuspend',
    summary: 'Ends a suspension: back to active, or to locked where the card was locked.',
    errors: ['UNSUSPENDED_CARD', 'CARD_NUMBER_MISMATCH'],
  }),
  activateCard: endpoint({
    ...cardAction,
    path: '/cards/activate',
    summary: 'Activates a card that is pending activation. Status, digits and expiry are checked in this order.',
    body: ActivateCard,
    errors: ['UNPENDING_CARD', 'CARD_NUMBER_MISMATCH', 'CARD_EXPIRY_MISMATCH'],
  }),
  cancelCard: endpoint({
    ...cardAction,
    path: '/cards/cancel',
    summary: 'Cancels a card for good.',
    rules: [
      'A card that is unknown or of another account is a 500 without a code, because the interface has no code for it here. Retrying it changes nothing.',
    ],
    errors: ['CARD_ALREADY_CANCELLED'],
  }),
  changeCardPin: endpoint({
    ...cardAction,
    path: '/cards/change-pin',
    summary: 'Sets the PIN of an active card. The PIN is never stored in clear, logged or echoed.',
    body: ChangePin,
    response: z.object({}),
    errors: ['INACTIVE_CARD', 'CARD_NOT_ISSUED', 'CARD_NUMBER_MISMATCH'],
  }),
  getCardSensitiveInfo: endpoint({
    method: 'GET',
    path: '/cards/card-sensitive-info',
    summary: 'A link to the card’s number, expiry and security code: one use, 60 seconds, one address.',
    query: z.object({
      cardAccountId: Uuid,
      cardId: Uuid,
      ipAddress: z.ipv4('must be an IPv4 address, each octet 0 to 255'),
    }),
    response: SensitiveInfoLink,
    errors: ['CARD_ACCOUNT_NOT_FOUND', 'CARD_NUMBER_MISMATCH', 'CARD_NOT_ISSUED', 'INACTIVE_CARD'],
  }),
}
