import { eq } from 'drizzle-orm'
import type { Transaction } from '#lib/db/connection.ts'
import { dayMs } from '#lib/shared/time.ts'
import { lockCardRow, setCardStatus } from './card-changes.ts'
import { scheduleWork, type Performer } from './due-work.ts'
import { cards } from './tables/cards.ts'

/** Decision: a physical card is produced in 5 days of sandbox time, and waits for its activation then. */
export const productionMs = 5 * dayMs

/** Puts the end of a card's production on the calendar. */
export async function scheduleProduction(db: Transaction, now: Date, cardId: string): Promise<void> {
  await scheduleWork(db, { kind: 'produce-card', subject: cardId, dueAt: new Date(now.getTime() + productionMs) })
}

/** A card in production is done; one that was cancelled meanwhile stays cancelled. */
export const produceCard: Performer = async ({ db, now, subject }) => {
  const [card] = await db.select({ cardAccountId: cards.cardAccountId }).from(cards).where(eq(cards.id, subject))
  if (!card) return
  const row = await lockCardRow(db, now, { cardAccountId: card.cardAccountId, cardId: subject })
  if (row.card.status === 'pending-issue') await setCardStatus(db, now, row, 'pending-activation')
}
