import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, notInArray } from 'drizzle-orm'
import { sensitiveInfoLifetimeMs } from '#lib/contract/sensitive-info.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { cards } from '../tables/cards.ts'
import { contentLinks } from '../tables/runtime.ts'

/** Makes a link to a card's sensitive data. The database stores a digest of its id, so that it cannot be opened from there. */
export async function createContentLink(
  db: Queryable,
  now: Date,
  link: { cardId: string; ipAddress: string },
): Promise<{ contentId: string; expiresAt: Date }> {
  const contentId = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + sensitiveInfoLifetimeMs)
  await db.insert(contentLinks).values({ id: digestOf(contentId), ...link, expiresAt })
  return { contentId, expiresAt }
}

type OpenedCard = Pick<typeof cards.$inferSelect, 'id' | 'embossedName' | 'expiryMonth' | 'expiryYear' | 'sealedNumber'>

/**
 * Uses a link up and gives its card: once, in time, from its own address, while the card has a number to show. Undefined
 * otherwise, and then the link stays as it was.
 */
export async function openContentLink(
  db: Queryable,
  now: Date,
  request: { contentId: string; ipAddress: string },
): Promise<OpenedCard | undefined> {
  const [card] = await db
    .update(contentLinks)
    .set({ openedAt: now })
    .from(cards)
    .where(
      and(
        eq(contentLinks.id, digestOf(request.contentId)),
        eq(contentLinks.ipAddress, request.ipAddress),
        isNull(contentLinks.openedAt),
        gt(contentLinks.expiresAt, now),
        eq(cards.id, contentLinks.cardId),
        notInArray(cards.status, ['pending-issue', 'cancelled']),
      ),
    )
    .returning({
      id: cards.id,
      embossedName: cards.embossedName,
      expiryMonth: cards.expiryMonth,
      expiryYear: cards.expiryYear,
      sealedNumber: cards.sealedNumber,
    })
  return card
}

function digestOf(contentId: string): string {
  return createHash('sha256').update(contentId).digest('hex')
}
