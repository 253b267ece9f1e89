import { eq } from 'drizzle-orm'
import type { CardStatus } from '#lib/contract/card-transitions.ts'
import { cards } from '#lib/service/tables/cards.ts'
import type { TestConsole } from './open-console.ts'

/** A card of the built-in service in that status, as an action's input names it. */
export async function cardIn({ service }: TestConsole, status: CardStatus) {
  const [card] = await service.service.db.select().from(cards).where(eq(cards.status, status)).limit(1)
  if (!card) throw new Error(`the seed has no ${status} card`)
  const { cardAccountId, id: cardId, last4 } = card
  return { target: { environment: 'sandbox' as const, cardAccountId, cardId }, last4, card }
}

/** What the service itself says the card's status is. */
export async function statusOf({ service }: TestConsole, cardId: string): Promise<string | undefined> {
  const [card] = await service.service.db.select().from(cards).where(eq(cards.id, cardId))
  return card?.status
}
