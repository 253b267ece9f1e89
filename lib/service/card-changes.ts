import { and, eq, getTableName, sql } from 'drizzle-orm'
import { pgTable } from 'drizzle-orm/pg-core'
import { type CardAction, cardTransition } from '#lib/contract/card-actions.ts'
import type { Card } from '#lib/contract/cards.ts'
import { cardPeriods } from '#lib/contract/charge-rule.ts'
import type { CardStatus } from '#lib/contract/terms.ts'
import { perDatabase } from '#lib/db/per-database.ts'
import { ApiError } from './api-error.ts'
import { type CardRow, selectCards, toCard } from './card-record.ts'
import type { ServiceWrite } from './clock.ts'
import type { Performer } from './due-work.ts'
import { recordEvent } from './events.ts'
import { cards } from './tables/cards.ts'

export type CardTarget = { cardAccountId: string; cardId: string }

/** PostgreSQL wants only the name in `for update of`, and Drizzle writes a table's schema with it. */
const cardsUnqualified = pgTable(getTableName(cards), {})

const selectLocked = perDatabase((db) =>
  selectCards(db)
    .where(and(eq(cards.id, sql.placeholder('cardId')), eq(cards.cardAccountId, sql.placeholder('cardAccountId'))))
    .for('update', { of: cardsUnqualified })
    .prepare('service_lock_card'),
)

/** A card of an account, its row locked until the transaction ends. Throws `CARD_NUMBER_MISMATCH` for any other. */
export async function lockCardRow({ db, now }: ServiceWrite, target: CardTarget): Promise<CardRow> {
  const [row] = await selectLocked(db).execute({ ...target, ...cardPeriods(now) })
  if (!row) throw new ApiError('CARD_NUMBER_MISMATCH', 'the card is not a card of this card account')
  return row
}

/** The status after an action, from the table of the contract. Throws the table's code where the status does not allow it. */
export function statusAfter(card: CardRow['card'], action: CardAction): CardStatus {
  const transition = cardTransition(card.status, action)
  if (!transition) throw new Error(`the card has a status that is not in the table: ${card.status}`)
  if ('refused' in transition) {
    throw new ApiError(transition.refused, `a card that is ${card.status} does not allow ${action}`)
  }
  if (transition.to === 'unchanged') return card.status
  if (transition.to !== 'before-suspension') return transition.to
  return card.lockedBeforeSuspension ? 'locked' : 'active'
}

const updateStatus = perDatabase((db) =>
  db
    .update(cards)
    .set({
      status: sql`${sql.placeholder('status')}`,
      lockedBeforeSuspension: sql`${sql.placeholder('lockedBeforeSuspension')}`,
    })
    .where(eq(cards.id, sql.placeholder('cardId')))
    .prepare('service_set_card_status'),
)

/** Gives a locked card its new status, and records `card.updated` with the whole Card. */
export async function setCardStatus(change: ServiceWrite, row: CardRow, status: CardStatus): Promise<Card> {
  const lockedBeforeSuspension = status === 'suspended' && row.card.status === 'locked'
  await updateStatus(change.db).execute({ status, lockedBeforeSuspension, cardId: row.card.id })
  const card = toCard({ ...row, card: { ...row.card, status, lockedBeforeSuspension } })
  await recordEvent(change, 'card.updated', card)
  return card
}

/** A card in production is done; one that was cancelled meanwhile stays cancelled. */
export const produceCard: Performer = async (change) => {
  const { db, subject } = change
  const [card] = await db.select({ cardAccountId: cards.cardAccountId }).from(cards).where(eq(cards.id, subject))
  if (!card) return
  const row = await lockCardRow(change, { cardAccountId: card.cardAccountId, cardId: subject })
  if (row.card.status === 'pending-issue') await setCardStatus(change, row, 'pending-activation')
}
