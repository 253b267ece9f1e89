import { eq } from 'drizzle-orm'
import { lockCardRow, setCardStatus } from './card-changes.ts'
import type { Performer } from './due-work.ts'
import { cards } from './tables/cards.ts'

/** A card in production is done; one that was cancelled meanwhile stays cancelled. */
export const produceCard: Performer = async (change) => {
  const { db, subject } = change
  const [card] = await db.select({ cardAccountId: cards.cardAccountId }).from(cards).where(eq(cards.id, subject))
  if (!card) return
  const row = await lockCardRow(change, { cardAccountId: card.cardAccountId, cardId: subject })
  if (row.card.status === 'pending-issue') await setCardStatus(change, row, 'pending-activation')
}
