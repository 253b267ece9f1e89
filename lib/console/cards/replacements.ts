import 'server-only'
import { and, desc, eq, inArray, isNotNull, isNull, ne, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Card } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import type { CardsOfAccount } from '#lib/index/cards-sync.ts'
import { findById, sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { operations } from '#lib/tables/operations.ts'
import type { CardReplacements, LinkedCard } from './types.ts'

/**
 * The card that replaced this one, and the one that it replaces: what the service says (`replacedBy`), else what the console's
 * own operations show, which is all there is where a service cannot be told. `underWay` is the operation that replaces it, and
 * `waitsFor` what it waits for: an approval, or the step before it.
 */
export async function readReplacements(
  environment: Environment,
  card: Card,
  read: CardsOfAccount,
): Promise<CardReplacements> {
  const { cards } = read
  const { kind, targetId, resultId, settledAt, state, supersededAt, id } = operations
  const rows = await database()
    .select({ id, targetId, resultId, state, isSettled: isNotNull(settledAt).mapWith(Boolean) })
    .from(operations)
    .where(
      and(
        eq(operations.environment, environment),
        eq(kind, 'card.replace'),
        or(eq(targetId, card.id), eq(resultId, card.id)),
        or(isNotNull(resultId), and(isNull(settledAt), ne(state, 'not-sent'))),
        or(isNull(settledAt), inArray(state, ['done', 'partial'])),
        isNull(supersededAt),
      ),
    )
  const own = rows.find((row) => row.targetId === card.id && !isGone(environment, row, read))
  const linked = (cardId: string | null | undefined): LinkedCard | null =>
    cardId ? { id: cardId, last4: findById(cards, cardId)?.last4 ?? null } : null
  const before = cards.find(({ replacedBy }) => sameId(replacedBy, card.id))
  const isWithout = card.status === 'cancelled' && !card.replacedBy && !own
  return {
    replacedBy: linked(card.replacedBy ?? own?.resultId),
    replaces: linked(before?.id ?? rows.find((row) => row.resultId === card.id)?.targetId),
    underWay: own && own.resultId === null ? own.id : null,
    waitsFor: own?.resultId === null ? (waits[own.state] ?? null) : null,
    notIssued: isWithout ? await findNotIssued(environment, card.id) : null,
  }
}

/** The last operation that was to cancel a card and to issue another one, where it ended without: its cardholder has none. */
async function findNotIssued(environment: Environment, cardId: string): Promise<string | null> {
  const { kind, targetId, state, follows, supersededAt, id, createdAt } = operations
  const cancelling = alias(operations, 'cancelling')
  const [last] = await database()
    .select({ id, state, cancelled: cancelling.state })
    .from(operations)
    .leftJoin(cancelling, eq(cancelling.id, follows))
    .where(
      and(
        eq(operations.environment, environment),
        eq(kind, 'card.replace'),
        eq(targetId, cardId),
        isNull(supersededAt),
      ),
    )
    .orderBy(desc(createdAt))
    .limit(1)
  if (!last?.cancelled || !mayHaveCancelled.has(last.cancelled)) return null
  return endedWithout.has(last.state) ? last.id : null
}

const mayHaveCancelled: ReadonlySet<State> = new Set(['done', 'partial', 'unknown'])
const endedWithout: ReadonlySet<State> = new Set(['not-sent', 'refused', 'declined', 'expired', 'withdrawn'])

type State = (typeof operations.$inferSelect)['state']

const waits: Partial<Record<State, CardReplacements['waitsFor']>> = {
  waiting: 'approval',
  queued: 'step',
}

/**
 * Whether a card that was issued is at the service no more. Cards are never deleted, so its sandbox was reset since then: the
 * seeded cards have their ids again, and nothing replaced them.
 */
function isGone(
  environment: Environment,
  { resultId, isSettled }: { resultId: string | null; isSettled: boolean },
  { cards, excluded, hasMore }: CardsOfAccount,
): boolean {
  if (environment !== 'sandbox' || !isSettled || excluded > 0 || hasMore) return false
  return resultId !== null && !cards.some(({ id }) => sameId(id, resultId))
}

/** Ends what stands in the way of another replacement of a card since its sandbox was reset. */
export async function supersedeGone(environment: Environment, cardId: string, read: CardsOfAccount): Promise<void> {
  const { kind, targetId, resultId, settledAt, supersededAt, id } = operations
  const isOwn = and(eq(operations.environment, environment), eq(kind, 'card.replace'), eq(targetId, cardId))
  const rows = await database()
    .select({ id, resultId, isSettled: isNotNull(settledAt).mapWith(Boolean) })
    .from(operations)
    .where(and(isOwn, isNull(supersededAt)))
  const gone = rows.filter((row) => isGone(environment, row, read)).map((row) => row.id)
  if (gone.length > 0) {
    await database().update(operations).set({ supersededAt: new Date() }).where(inArray(id, gone))
  }
}
