import { and, eq } from 'drizzle-orm'
import { ApiError } from '../api-error.ts'
import { requireCardAccount } from '../card-account-record.ts'
import type { Handlers } from '../handler.ts'
import { createContentLink } from '../secure-content/content-links.ts'
import { cards } from '../tables/cards.ts'

export const sensitiveInfoHandlers = {
  getCardSensitiveInfo: async ({ query }, { db, now, baseUrl }) => {
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
    return { expiry: expiresAt.toISOString(), url: `${baseUrl}/secure-content/${contentId}` }
  },
} satisfies Handlers<'getCardSensitiveInfo'>
