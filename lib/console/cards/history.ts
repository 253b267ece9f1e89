import 'server-only'
import { and, desc, eq } from 'drizzle-orm'
import { cardTransition, isCardAction } from '#lib/contract/card-actions.ts'
import type { Card } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { Actor } from '../desk/actor.ts'
import { actorOf, type OperationRow } from '../desk/operations/journal.ts'
import { outcomeOf, type Outcome } from '../desk/operations/outcome.ts'
import { cardStatusChanges } from '../desk/tables/directory.ts'
import { operations } from '../desk/tables/operations.ts'

/** Something that happened to a card, newest first in a list. Times are ISO 8601. */
export type CardHistoryEntry =
  | {
      kind: 'operation'
      operationId: string
      /** The kind of operation: `card.lock`, `reference.set`, … */
      act: string
      at: string
      by: Actor
      reason: string | null
      comment: string | null
      outcome: Outcome
      /** Statuses before and after, where the console read them. */
      from: string | null
      to: string | null
    }
  | {
      /** The console saw another status than before, and no operation of its own explains it: who did it is not known. */
      kind: 'seen'
      /** It changed after `notBefore` and was seen at `at`. */
      at: string
      notBefore: string
      from: string
      to: string
    }

/** One stop on the status rail. `at` null: when it was reached is not known. */
export type CardRailStop = { status: string; reached: boolean; isNow: boolean; at: string | null; by: Actor | null }

export type CardHistory = {
  entries: CardHistoryEntry[]
  rail: CardRailStop[]
  /**
   * Since when the card has its present status, by whom and why, as far as the console knows. With `by` null, `since` is
   * when the console first saw it. `status` is null where the service did not provide it.
   */
  current: { status: string | null; since: string | null; by: Actor | null; reason: string | null }
}

const longest = 100

/** What the console did to a card and what it saw of it. The card itself has no history in the interface. */
export async function readCardHistory(environment: Environment, card: Card): Promise<CardHistory> {
  const db = database()
  const [done, changes] = await Promise.all([
    db
      .select()
      .from(operations)
      .where(and(eq(operations.environment, environment), eq(operations.targetId, card.id)))
      .orderBy(desc(operations.createdAt))
      .limit(longest),
    db
      .select()
      .from(cardStatusChanges)
      .where(and(eq(cardStatusChanges.environment, environment), eq(cardStatusChanges.cardId, card.id)))
      .orderBy(desc(cardStatusChanges.seenAt))
      .limit(longest),
  ])
  const entries: CardHistoryEntry[] = [
    ...done.map((row) => ({
      kind: 'operation' as const,
      operationId: row.id,
      act: row.kind,
      at: (row.settledAt ?? row.createdAt).toISOString(),
      by: actorOf(row),
      reason: row.reason,
      comment: row.comment,
      outcome: outcomeOf(row),
      from: row.statusBefore,
      to: row.state === 'done' && row.kind !== 'reference.set' ? row.statusAfter : null,
    })),
    ...unexplained(changes, done).map((row) => ({
      kind: 'seen' as const,
      at: row.seenAt.toISOString(),
      notBefore: row.notBefore.toISOString(),
      from: row.statusBefore,
      to: row.statusAfter,
    })),
  ].toSorted((one, other) => other.at.localeCompare(one.at))
  return { entries, rail: railOf(card, entries), current: currentOf(card, entries) }
}

type SeenChange = typeof cardStatusChanges.$inferSelect

/**
 * The changes that no operation of the console made. One is seen by whichever reading comes first: the operation's own, or one
 * that the service's event asked for while the operation was under way. Each operation explains one change.
 */
function unexplained(changes: readonly SeenChange[], operationsOfCard: readonly OperationRow[]): SeenChange[] {
  const explaining = new Set(changes.flatMap(({ operationId }) => operationId ?? []))
  return changes
    .filter(({ operationId }) => operationId === null)
    .toReversed()
    .filter((change) => {
      const operation = operationsOfCard.find((row) => !explaining.has(row.id) && explains(row, change))
      if (operation) explaining.add(operation.id)
      return operation === undefined
    })
}

function explains(row: OperationRow, { seenAt, notBefore, statusBefore, statusAfter }: SeenChange): boolean {
  const isInTime = row.createdAt <= seenAt && (row.settledAt === null || row.settledAt > notBefore)
  if (!isInTime || row.state === 'refused' || row.state === 'not-sent') return false
  const action = row.kind.replace('card.', '')
  const transition = isCardAction(action) ? cardTransition(statusBefore, action) : undefined
  if (!transition || 'refused' in transition) return false
  const { to } = transition
  return to === 'before-suspension' ? ['active', 'locked'].includes(statusAfter) : to === statusAfter
}

function isChange(entry: CardHistoryEntry): entry is CardHistoryEntry & { to: string } {
  return entry.to !== null && entry.from !== entry.to
}

function currentOf(card: Card, entries: readonly CardHistoryEntry[]): CardHistory['current'] {
  const last = entries.find(isChange)
  if (!last || last.to !== card.status) return { status: card.status, since: null, by: null, reason: null }
  const { by, reason } = last.kind === 'operation' ? last : { by: null, reason: null }
  return { status: card.status, since: last.at, by, reason }
}

/** The life of a card in order, each stop with when it was last reached; a present status that is no regular stop stands before the end. */
function railOf(card: Card, entries: readonly CardHistoryEntry[]): CardRailStop[] {
  const isVirtual = card.product?.cardType === 'virtual'
  const before = isVirtual ? ['active'] : ['pending-issue', 'pending-activation', 'active']
  const regular = [...before, 'cancelled']
  const { status: present } = card
  const stops = present === null || regular.includes(present) ? regular : [...before, present, 'cancelled']
  const changes = entries.filter(isChange)
  const now = present === null ? -1 : stops.indexOf(present)
  return stops.map((status, place) => {
    const isNow = place === now
    const reaching = changes.filter((entry) => entry.to === status)
    const entry = isNow ? (changes[0]?.to === status ? changes[0] : undefined) : reaching[0]
    const wasThere = reaching.length > 0 || changes.some((change) => change.from === status)
    const mustHaveBeen = present !== 'cancelled' && place < now
    return {
      status,
      reached: isNow || wasThere || mustHaveBeen,
      isNow,
      at: entry?.at ?? null,
      by: entry?.kind === 'operation' ? entry.by : null,
    }
  })
}
