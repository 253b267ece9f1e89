import 'server-only'
import { and, desc, eq } from 'drizzle-orm'
import { cardTransition, isCardAction } from '#lib/contract/card-actions.ts'
import type { Card } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { OperationRow } from '../desk/operations/journal.ts'
import { outcomeOf } from '../desk/operations/outcome.ts'
import { cardStatusChanges, directoryCards } from '../desk/tables/directory.ts'
import { operations } from '../desk/tables/operations.ts'
import { actorOf } from '../desk/tables/schema.ts'
import type { CardHistory, CardHistoryEntry, CardHold, CardRailStop } from './shapes.ts'

const longest = 100

/** The console's operations on a card and the statuses it read. The interface has no history of cards. */
export async function readCardHistory(environment: Environment, card: Card): Promise<CardHistory> {
  const db = database()
  const [done, changes, [mirrored]] = await Promise.all([
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
      .orderBy(desc(cardStatusChanges.firstReadAt))
      .limit(longest),
    db
      .select({ firstReadAt: directoryCards.firstReadAt })
      .from(directoryCards)
      .where(and(eq(directoryCards.environment, environment), eq(directoryCards.id, card.id))),
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
      kind: 'observed' as const,
      at: row.firstReadAt.toISOString(),
      notBefore: row.notBefore.toISOString(),
      from: row.statusBefore,
      to: row.statusAfter,
    })),
  ].toSorted((one, other) => other.at.localeCompare(one.at))
  const present = presentOf(card, entries)
  // Without a change, the present status is the one that was read first.
  const notAfter = changes.length === 0 ? (mirrored?.firstReadAt.toISOString() ?? null) : null
  return { entries, rail: railOf(card, entries, present, notAfter), ...present }
}

type ObservedChange = typeof cardStatusChanges.$inferSelect

/**
 * The changes that no operation of the console made. One is recorded by the first reading: the operation's own, or one
 * after an event while the operation was under way. Each operation explains one change.
 */
function unexplained(changes: readonly ObservedChange[], operationsOfCard: readonly OperationRow[]): ObservedChange[] {
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

function explains(row: OperationRow, { firstReadAt, notBefore, statusBefore, statusAfter }: ObservedChange): boolean {
  const isInTime = row.createdAt <= firstReadAt && (row.settledAt === null || row.settledAt > notBefore)
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

const unknownHold: CardHold = { since: null, by: null, reason: null, operationId: null }

function holdOf(entry: CardHistoryEntry): CardHold {
  return entry.kind === 'operation'
    ? { since: entry.at, by: entry.by, reason: entry.reason, operationId: entry.operationId }
    : { ...unknownHold, since: entry.at }
}

type Present = Pick<CardHistory, 'current' | 'beneath'>

/** Follows the changes from the oldest: a suspension hides a lock, and its end shows the same lock again. */
function presentOf({ status }: Card, entries: readonly CardHistoryEntry[]): Present {
  let lock: CardHold | null = null
  let present: Present = { current: { status: null, ...unknownHold }, beneath: null }
  for (const entry of entries.filter(isChange).toReversed()) {
    const { from, to } = entry
    // The console missed a change in between, so the previous value is unknown.
    if (from !== 'locked' && from !== 'suspended') lock = null
    if (to === 'locked') lock = from === 'suspended' ? (lock ?? unknownHold) : holdOf(entry)
    if (to === 'suspended') {
      if (from === 'locked') lock ??= unknownHold
      // Between two readings there may have been more than one change.
      const covered = entry.kind === 'operation' && (from === 'active' || from === 'locked') ? from : null
      present = {
        current: { status: to, ...holdOf(entry) },
        beneath: covered && { status: covered, ...(lock ?? unknownHold) },
      }
    } else {
      present = { current: { status: to, ...(to === 'locked' && lock ? lock : holdOf(entry)) }, beneath: null }
    }
  }
  return present.current.status === status ? present : { current: { status, ...unknownHold }, beneath: null }
}

/**
 * The life of a card in order, each stop with when it was last reached; the first one was reached when the card was created. A present status that is no regular stop comes before
 * the end, behind the lock that a suspension covers.
 */
function railOf(
  card: Card,
  entries: readonly CardHistoryEntry[],
  { current, beneath }: Present,
  notAfter: string | null,
): CardRailStop[] {
  const isVirtual = card.product?.cardType === 'virtual'
  const before = isVirtual ? ['active'] : ['pending-issue', 'pending-activation', 'active']
  const regular = [...before, 'cancelled']
  const { status: present } = card
  const covered = beneath?.status === 'locked' ? ['locked'] : []
  const stops = present === null || regular.includes(present) ? regular : [...before, ...covered, present, 'cancelled']
  const changes = entries.filter(isChange)
  const now = present === null ? -1 : stops.indexOf(present)
  return stops.map((status, place) => {
    const isNow = place === now
    const reaching = changes.filter((entry) => entry.to === status)
    const hold = isNow ? current : status === 'locked' && beneath ? beneath : reaching[0] && holdOf(reaching[0])
    const wasThere = reaching.length > 0 || changes.some((change) => change.from === status)
    const mustHaveBeen = present !== 'cancelled' && place < now
    return {
      status,
      reached: isNow || wasThere || mustHaveBeen,
      isNow,
      at: hold?.since ?? (place === 0 ? card.createdAt : null),
      notAfter: isNow ? notAfter : null,
      by: hold?.by ?? null,
    }
  })
}
