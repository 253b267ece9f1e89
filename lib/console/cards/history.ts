import 'server-only'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { cardTransition, isCardAction } from '#lib/contract/card-actions.ts'
import type { Card } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import type { OperationRow } from '#lib/operations/journal.ts'
import { toOutcome } from '#lib/operations/outcome.ts'
import type { PastOperation } from '#lib/operations/types.ts'
import { lacking } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { cardStatusChanges, indexedCards } from '#lib/tables/card-accounts.ts'
import { operations } from '#lib/tables/operations.ts'
import { toActor } from '#lib/tables/schema.ts'
import { isReportedLost } from './kept-stopped.ts'
import type { CardHistory, CardHistoryEntry, CardStatusReason, CardRailStop } from './types.ts'

const longest = 100

/** The console's operations on a card and the statuses it read. The interface has no history of cards. */
export async function readCardHistory(environment: Environment, card: Card): Promise<CardHistory> {
  const db = database()
  const [done, [made], changes, [indexed]] = await Promise.all([
    db
      .select()
      .from(operations)
      .where(and(eq(operations.environment, environment), eq(operations.targetId, card.id)))
      .orderBy(desc(operations.createdAt))
      .limit(longest),
    db
      .select()
      .from(operations)
      .where(
        and(
          eq(operations.environment, environment),
          eq(operations.resultId, card.id),
          inArray(operations.kind, ['card.issue', 'card.replace']),
        ),
      )
      .limit(1),
    db
      .select()
      .from(cardStatusChanges)
      .where(and(eq(cardStatusChanges.environment, environment), eq(cardStatusChanges.cardId, card.id)))
      .orderBy(desc(cardStatusChanges.seenAt))
      .limit(longest),
    db
      .select({ firstReadAt: indexedCards.firstReadAt })
      .from(indexedCards)
      .where(and(eq(indexedCards.environment, environment), eq(indexedCards.id, card.id))),
  ])
  const entries: CardHistoryEntry[] = [
    ...done.map((row) => ({
      ...toPastOperation(row),
      from: row.statusBefore,
      // A replacement's status is that of the new card.
      to: row.state === 'done' && isCardAction(row.kind.replace('card.', '')) ? row.statusAfter : null,
    })),
    ...unexplained(changes, done).map((row) => ({
      kind: 'observed' as const,
      at: row.seenAt.toISOString(),
      notBefore: row.notBefore.toISOString(),
      from: row.statusBefore,
      to: row.statusAfter,
    })),
  ].toSorted((one, other) => other.at.localeCompare(one.at))
  const present = findPresentStatus(card, entries)
  // Without a change, the present status is the one that was read first.
  const notAfter = changes.length === 0 ? isoTime(indexed?.firstReadAt) : null
  return {
    entries,
    origin: made ? toPastOperation(made) : null,
    isReportedLost: isReportedLost(done),
    rail: makeRail(card, entries, present, notAfter),
    ...present,
  }
}

function toPastOperation(row: OperationRow): PastOperation {
  return {
    kind: 'operation',
    operationId: row.id,
    act: row.kind,
    at: (row.settledAt ?? row.createdAt).toISOString(),
    by: toActor(row),
    reason: row.reason,
    comment: row.comment,
    outcome: toOutcome(row),
  }
}

type ObservedChange = typeof cardStatusChanges.$inferSelect

/**
 * The changes that no operation of the console made. One is recorded by the first reading: the operation's own, or one
 * after an event while the operation was under way. Each operation explains one change.
 */
function unexplained(changes: readonly ObservedChange[], operationsOfCard: readonly OperationRow[]): ObservedChange[] {
  const explaining = new Set(changes.flatMap(({ operationId }) => operationId ?? []))
  return lacking(changes, 'operationId')
    .toReversed()
    .filter((change) => {
      const operation = operationsOfCard.find((row) => !explaining.has(row.id) && explains(row, change))
      if (operation) explaining.add(operation.id)
      return operation === undefined
    })
}

function explains(row: OperationRow, { seenAt, notBefore, statusBefore, statusAfter }: ObservedChange): boolean {
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

const unknownReason: CardStatusReason = { since: null, by: null, reason: null, operationId: null, act: null }

function toStatusReason(entry: CardHistoryEntry): CardStatusReason {
  return entry.kind === 'operation'
    ? { since: entry.at, by: entry.by, reason: entry.reason, operationId: entry.operationId, act: entry.act }
    : { ...unknownReason, since: entry.at }
}

type Present = Pick<CardHistory, 'current' | 'underlyingStatus'>

/** Follows the changes from the oldest: a suspension hides a lock, and its end shows the same lock again. */
function findPresentStatus({ status }: Card, entries: readonly CardHistoryEntry[]): Present {
  let lock: CardStatusReason | null = null
  let present: Present = { current: { status: null, ...unknownReason }, underlyingStatus: null }
  for (const entry of entries.filter(isChange).toReversed()) {
    const { from, to } = entry
    // The console missed a change in between, so the previous value is unknown.
    if (from !== 'locked' && from !== 'suspended') lock = null
    if (to === 'locked') lock = from === 'suspended' ? (lock ?? unknownReason) : toStatusReason(entry)
    if (to === 'suspended') {
      if (from === 'locked') lock ??= unknownReason
      // Between two readings there may have been more than one change.
      const covered = entry.kind === 'operation' && (from === 'active' || from === 'locked') ? from : null
      present = {
        current: { status: to, ...toStatusReason(entry) },
        underlyingStatus: covered && { status: covered, ...(lock ?? unknownReason) },
      }
    } else {
      present = {
        current: { status: to, ...(to === 'locked' && lock ? lock : toStatusReason(entry)) },
        underlyingStatus: null,
      }
    }
  }
  return present.current.status === status ? present : { current: { status, ...unknownReason }, underlyingStatus: null }
}

/** The stops that a card has only if it was held: shown once it is known. */
const holds = ['locked', 'suspended']

/**
 * The life of a card in order, each stop with when it was last reached; the first one was reached when the card was created,
 * and a later one implies those before it. What a card was before it was cancelled stays. A present status that is no regular
 * stop comes before the end, behind the lock that a suspension covers.
 */
function makeRail(
  card: Card,
  entries: readonly CardHistoryEntry[],
  { current, underlyingStatus }: Present,
  notAfter: string | null,
): CardRailStop[] {
  const isVirtual = card.product?.cardType === 'virtual'
  const before = isVirtual ? ['active'] : ['pending-issue', 'pending-activation', 'active']
  const { status: present } = card
  const changes = entries.filter(isChange)
  const wasIn = new Set(changes.flatMap(({ from, to }) => [from ?? to, to]))
  const covered = underlyingStatus?.status === 'locked' ? ['locked'] : []
  const extra =
    present === 'cancelled'
      ? holds.filter((hold) => wasIn.has(hold))
      : present === null || before.includes(present)
        ? []
        : [...covered, present]
  const life = [...before, ...extra]
  // A card can be cancelled from any status: what is known not to follow is left out.
  const last = life.findLastIndex((status) => status === present || wasIn.has(status))
  const known = present === 'cancelled' ? life.slice(0, Math.max(last, 0) + 1) : life
  // The service's clock gives it; where that is ahead of the console's, it would come after what followed.
  const made = changes.some(({ at }) => card.createdAt !== null && at < card.createdAt) ? null : card.createdAt
  return [...known, 'cancelled'].map((status, place) => {
    const isNow = status === present
    // No card comes back from it: a card that is something else now is another one under its id, after a reset of the sandbox.
    const reaching = status === 'cancelled' ? undefined : changes.find((entry) => entry.to === status)
    const hold = isNow
      ? current
      : status === 'locked' && underlyingStatus
        ? underlyingStatus
        : reaching && toStatusReason(reaching)
    return {
      status,
      reached: isNow || (status !== 'cancelled' && (wasIn.has(status) || place <= Math.max(last, 0))),
      isNow,
      at: hold?.since ?? (place === 0 ? made : null),
      notAfter: isNow ? notAfter : null,
    }
  })
}
