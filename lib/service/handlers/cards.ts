import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import type { CardAction } from '#lib/contract/card-actions.ts'
import type { Card } from '#lib/contract/cards.ts'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import type { Transaction } from '#lib/db/connection.ts'
import { ApiError } from '../api-error.ts'
import { requireCardAccount } from '../card-account-record.ts'
import { lockCardRow, setCardStatus, statusAfter, type CardTarget } from '../card-changes.ts'
import { cardPeriods } from '../card-limits.ts'
import { openCardNumber } from '../card-number.ts'
import { selectCards, toCard, type CardRow } from '../card-record.ts'
import { recordEvent } from '../events.ts'
import type { HandlerContext, Handlers } from '../handler.ts'
import { defineList } from '../lists.ts'
import { cards } from '../tables/cards.ts'

type CardRequest = { body: CardTarget }
type CardContext = { db: Transaction; now: Date }

/** The actions that do nothing but move the card along the table of the contract. */
function transitionHandler(action: CardAction) {
  return async ({ body }: CardRequest, { db, now }: CardContext): Promise<Card> => {
    const row = await lockCardRow(db, now, body)
    return setCardStatus(db, now, row, statusAfter(row.card, action))
  }
}

const cardList = defineList<ParsedRequest<'listCards'>['query'], CardRow>({
  name: 'cards',
  select: selectCards,
  createdAt: cards.createdAt,
  id: cards.id,
  position: ({ card }) => card,
  filters: {
    cardAccountId: (value) => eq(cards.cardAccountId, value),
    cardId: (value) => eq(cards.id, value),
  },
})

export const cardHandlers = {
  listCards: async ({ query }, context) => {
    const { rows, ...tokens } = await cardList(context, query, cardPeriods(context.now))
    if (rows.length === 0) await requireCardAccount(context.db, query.cardAccountId)
    return { cards: rows.map(toCard), ...tokens }
  },

  lockCard: transitionHandler('lock'),
  unlockCard: transitionHandler('unlock'),
  suspendCard: transitionHandler('suspend'),
  unsuspendCard: transitionHandler('unsuspend'),
  cancelCard: transitionHandler('cancel'),

  /** Status, digits and expiry are checked in this order. */
  activateCard: async ({ body }, { db, now, ...keys }) => {
    const row = await lockCardRow(db, now, body)
    const status = statusAfter(row.card, 'activate')
    if (!(await readCardNumber(db, row.card.id, keys)).endsWith(body.last6)) {
      throw new ApiError('CARD_NUMBER_MISMATCH', 'the last 6 digits are not those of the card')
    }
    if (row.card.expiryMonth !== body.expiryMonth || row.card.expiryYear !== body.expiryYear) {
      throw new ApiError('CARD_EXPIRY_MISMATCH', 'the expiry date is not that of the card')
    }
    return setCardStatus(db, now, row, status)
  },

  changeCardPin: async ({ body }, { db, now }) => {
    const row = await lockCardRow(db, now, body)
    statusAfter(row.card, 'change-pin')
    await db
      .update(cards)
      .set({ pinDigest: await digestPin(body.pin) })
      .where(eq(cards.id, row.card.id))
    await recordEvent(db, now, 'card.updated', toCard(row))
    return {}
  },
} satisfies Handlers<
  | 'listCards'
  | 'lockCard'
  | 'unlockCard'
  | 'suspendCard'
  | 'unsuspendCard'
  | 'cancelCard'
  | 'activateCard'
  | 'changeCardPin'
>

async function readCardNumber(
  db: Transaction,
  cardId: string,
  { cardNumberKey, previousCardNumberKey }: Pick<HandlerContext, 'cardNumberKey' | 'previousCardNumberKey'>,
): Promise<string> {
  const [card] = await db.select({ sealedNumber: cards.sealedNumber }).from(cards).where(eq(cards.id, cardId))
  if (!card) throw new Error('a locked card is gone')
  return openCardNumber(card.sealedNumber, cardId, cardNumberKey, previousCardNumberKey)
}

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt)

/** A salted scrypt digest of a PIN (`scrypt:<salt>:<digest>`, base64), made off the event loop. */
async function digestPin(pin: string): Promise<string> {
  const salt = randomBytes(16)
  const digest = await deriveKey(pin, salt, 32)
  return `scrypt:${salt.toString('base64')}:${digest.toString('base64')}`
}
