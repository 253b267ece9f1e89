import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import type { CardAction } from '#lib/contract/card-actions.ts'
import { type Card, cardProductionMs } from '#lib/contract/cards.ts'
import { cardMonth, cardPeriods, mapCardLimits } from '#lib/contract/charge-rule.ts'
import type { ParsedRequest } from '#lib/contract/endpoints.ts'
import { unboundCardLimit } from '#lib/contract/terms.ts'
import type { Queryable, Transaction } from '#lib/db/connection.ts'
import { ApiError, errorOfIssues, type FieldIssue } from '../api-error.ts'
import { requireCardAccount } from '../card-account-record.ts'
import { type CardTarget, lockCardRow, setCardStatus, statusAfter } from '../card-changes.ts'
import { issueCardNumber, openCardNumber, sealCardNumber } from '../card-number.ts'
import { type CardRow, selectCards, toCard } from '../card-record.ts'
import type { ServiceWrite } from '../clock.ts'
import { scheduleWork } from '../due-work.ts'
import { recordEvent } from '../events.ts'
import { claimXid } from '../external-ids.ts'
import type { Handlers, Rule } from '../handler.ts'
import { requireLockedAccount } from '../ledger/locks.ts'
import { defineList } from '../lists.ts'
import { newRowId } from '../row-ids.ts'
import { createContentLink } from '../secure-content.ts'
import type { ServiceSettings } from '../service-settings.ts'
import { cardAccounts } from '../tables/card-accounts.ts'
import { cards, products } from '../tables/cards.ts'

/** The actions that do nothing but move the card along the table of the contract. */
function transitionHandler(action: CardAction) {
  return async ({ body }: { body: CardTarget }, change: ServiceWrite): Promise<Card> => {
    const row = await lockCardRow(change, body)
    return setCardStatus(change, row, statusAfter(row.card, action))
  }
}

export const cardList = defineList<ParsedRequest<'listCards'>['query'], CardRow>({
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
    const { rows, ...tokens } = await cardList.read(context, query, cardPeriods(context.now))
    if (rows.length === 0) await requireCardAccount(context.db, query.cardAccountId)
    return { cards: rows.map(toCard), ...tokens }
  },

  lockCard: transitionHandler('lock'),
  unlockCard: transitionHandler('unlock'),
  suspendCard: transitionHandler('suspend'),
  unsuspendCard: transitionHandler('unsuspend'),
  cancelCard: transitionHandler('cancel'),

  /** Status, digits and expiry are checked in this order. */
  activateCard: async ({ body }, change) => {
    const row = await lockCardRow(change, body)
    const status = statusAfter(row.card, 'activate')
    if (!(await readCardNumber(change.db, row.card.id, change.settings)).endsWith(body.last6)) {
      throw new ApiError('CARD_NUMBER_MISMATCH', 'the last 6 digits are not those of the card')
    }
    if (row.card.expiryMonth !== body.expiryMonth || row.card.expiryYear !== body.expiryYear) {
      throw new ApiError('CARD_EXPIRY_MISMATCH', 'the expiry date is not that of the card')
    }
    return setCardStatus(change, row, status)
  },

  changeCardPin: async ({ body }, change) => {
    const row = await lockCardRow(change, body)
    statusAfter(row.card, 'change-pin')
    await change.db
      .update(cards)
      .set({ pinDigest: await digestPin(body.pin) })
      .where(eq(cards.id, row.card.id))
    await recordEvent(change, 'card.updated', toCard(row))
    return {}
  },

  issueCard: async ({ body }, change) => {
    const { db, now, settings } = change
    const account = await requireLockedAccount(db, body.cardAccountId)
    const issues = await checkProduct(db, body)
    if (issues.length > 0) throw errorOfIssues(issues)
    const [individual] = await db
      .select({ email: sql<string | null>`${cardAccounts.individual} ->> 'email'` })
      .from(cardAccounts)
      .where(eq(cardAccounts.id, account.id))

    const id = newRowId()
    const number = issueCardNumber()
    const { month, year } = cardMonth(now)
    if (body.xid) await claimXid(db, body.xid, { type: 'card', id })
    await db.insert(cards).values({
      id,
      cardAccountId: account.id,
      xid: body.xid ?? null,
      xmetadata: body.xmetadata ?? null,
      status: body.type === 'virtual' ? 'active' : 'pending-issue',
      embossedName: body.embossedName,
      productId: body.productId,
      expiryMonth: month,
      expiryYear: year + validYears,
      last4: number.slice(-4),
      sealedNumber: sealCardNumber(number, id, settings.cardNumberKey),
      ...unboundLimits,
      mobile: account.phoneNumber,
      cardEmail: individual?.email ?? null,
      createdAt: now,
    })
    if (body.type === 'physical') {
      await scheduleWork(change, { kind: 'produce-card', subject: id, afterMs: cardProductionMs })
    }
    const card = toCard(await lockCardRow(change, { cardAccountId: account.id, cardId: id }))
    await recordEvent(change, 'card.updated', card)
    return card
  },

  getCardSensitiveInfo: async ({ query }, { db, now, settings }) => {
    const { cardAccountId, cardId, ipAddress } = query
    await requireCardAccount(db, cardAccountId)
    const [card] = await db
      .select({ id: cards.id, status: cards.status })
      .from(cards)
      .where(and(eq(cards.id, cardId), eq(cards.cardAccountId, cardAccountId)))
    if (!card) throw new ApiError('CARD_NUMBER_MISMATCH', 'the card is not a card of this card account')
    if (card.status === 'pending-issue') throw new ApiError('CARD_NOT_ISSUED', 'the card is not issued yet')
    if (card.status === 'cancelled') throw new ApiError('INACTIVE_CARD', 'the card is cancelled')
    const { contentId, expiresAt } = await createContentLink(db, now, { cardId, ipAddress })
    return { expiry: expiresAt.toISOString(), url: `${settings.baseUrl}/secure-content/${contentId}` }
  },
} satisfies Partial<Handlers>

async function readCardNumber(
  db: Transaction,
  cardId: string,
  { cardNumberKey, previousCardNumberKey }: ServiceSettings,
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

const validYears = 4

/** Reported together with other issues of the request; without any, the handler reports it after an unknown account. */
export const productRule: Rule<'issueCard'> = async ({ body, wrong }, { db }) =>
  wrong.size === 0 ? [] : checkProduct(db, body)

/** The product is one of the seed; where the type is known, it is a product for cards of that type. */
async function checkProduct(
  db: Queryable,
  { productId, type }: { productId?: string | undefined; type?: 'virtual' | 'physical' | undefined },
): Promise<FieldIssue[]> {
  if (productId === undefined) return []
  const [product] = await db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.id, productId), type === undefined ? undefined : eq(products.cardType, type)))
  const wanted = type === undefined ? 'must be a product' : `must be a product for ${type} cards`
  return product ? [] : [{ path: 'productId', message: wanted }]
}

/** A new card's own limits never bind below the account's limit, whatever that becomes and however often it is used up. */
const unboundLimits = mapCardLimits(() => String(unboundCardLimit))
