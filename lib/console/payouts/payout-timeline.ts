import 'server-only'
import { and, asc, desc, eq, inArray, or, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { newestFirst } from '#lib/index/conditions.ts'
import type { OperationRow } from '#lib/operations/journal.ts'
import { toOutcome } from '#lib/operations/outcome.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { operations } from '#lib/tables/operations.ts'
import { payoutStates } from '#lib/tables/payouts.ts'
import { toActor } from '#lib/tables/schema.ts'
import { parsePayoutBody } from './apply-payout-events.ts'
import { toPayoutState } from './payout-record.ts'
import type { PayoutEvent, PayoutTimeline, PayoutTimelineEntry, PayoutRecord, PayoutStop } from './types.ts'

type StateRow = Pick<
  typeof payoutStates.$inferSelect,
  'at' | 'status' | 'subStatus' | 'cancellationReason' | 'createdAt' | 'seenAt'
>
type EventRow = Pick<typeof inboxEvents.$inferSelect, 'id' | 'event' | 'body' | 'time' | 'receivedAt'>

type ApprovedRow = Pick<typeof approvals.$inferSelect, 'id' | 'decidedAt' | 'decidedByName' | 'decisionReason'>

const longest = 200

/** The states that the console read, the events about it, and what staff did: the service itself has no history. */
export async function readPayoutTimeline(
  environment: Environment,
  payout: PayoutRecord,
  readAt: Date,
): Promise<PayoutTimeline> {
  const db = database()
  const [states, events, done] = await Promise.all([
    db
      .select()
      .from(payoutStates)
      .where(
        and(
          eq(payoutStates.environment, environment),
          sql`lower(${payoutStates.payoutId}) = ${payout.id.toLowerCase()}`,
        ),
      )
      .orderBy(desc(payoutStates.at))
      .limit(longest),
    db
      .select()
      .from(inboxEvents)
      .where(
        and(eq(inboxEvents.environment, environment), sql`lower(${inboxEvents.payoutId}) = ${payout.id.toLowerCase()}`),
      )
      .orderBy(newestFirst(inboxEvents.position))
      .limit(longest),
    db
      .select()
      .from(operations)
      .where(
        and(
          eq(operations.environment, environment),
          or(eq(operations.resultId, payout.id), eq(operations.targetId, payout.id)),
        ),
      )
      .orderBy(asc(operations.createdAt))
      .limit(longest),
  ])
  const decided = await db
    .select()
    .from(approvals)
    .where(
      and(
        eq(approvals.state, 'approved'),
        inArray(
          approvals.id,
          done.map(({ id }) => id),
        ),
      ),
    )
  return makeTimeline(payout, readAt, states, events, done, decided)
}

/** The timeline of rows in any order. It has a state once, however often it was read or reported. */
export function makeTimeline(
  payout: PayoutRecord,
  readAt: Date,
  states: readonly StateRow[],
  events: readonly EventRow[],
  done: readonly OperationRow[],
  decided: readonly ApprovedRow[] = [],
): PayoutTimeline {
  const now = toPayoutState(payout)
  const reported = events.map((row) => ({
    event: toPayoutEvent(row),
    state: stateIn(row),
    at: row.time ?? row.receivedAt,
  }))
  const observations: Observation[] = [
    ...states.map((state) => ({ ...state, event: null })),
    ...reported.flatMap(({ state, event }) => (state ? [{ ...state, seenAt: new Date(event.receivedAt), event }] : [])),
    ...(now ? [{ ...now, seenAt: readAt, event: null }] : []),
  ]
  const reached = merged(
    observations.filter(({ createdAt }) => isOfThisPayout(payout, createdAt)),
    now,
  )
  const isMadeUnobserved = payout.created !== null && !isSameTime(payout.created, reached[0]?.at ?? null)
  const submissions = done.filter(({ resultId }) => sameId(resultId, payout.id))
  const others = done.filter(({ resultId }) => !sameId(resultId, payout.id))
  const later: PayoutTimelineEntry[] = [
    ...reached,
    ...reported.flatMap(({ state, event, at }) =>
      state ? [] : [{ kind: 'event' as const, at: at.toISOString(), event }],
    ),
    ...others.map(operationEntry),
  ]
  return {
    // Actions of staff have the console's time, states the service's: the submission is first in any case.
    entries: [
      ...submissions.map(operationEntry),
      ...decided.flatMap(approvedEntry),
      ...(isMadeUnobserved && payout.created ? [{ kind: 'created' as const, at: payout.created }] : []),
      ...later.toSorted((one, other) => one.at.localeCompare(other.at)),
    ],
    stops: [
      ...(isMadeUnobserved ? [{ status: null, at: payout.created, isNow: reached.length === 0 }] : []),
      ...groupStops(untilNow(reached)),
      ...(reached.some(({ isNow }) => isNow) ? (ahead[payout.status ?? ''] ?? []) : []).map((status) => ({
        status,
        at: null,
        isNow: false,
      })),
    ],
  }
}

function approvedEntry({ id, decidedAt, decidedByName, decisionReason }: ApprovedRow): PayoutTimelineEntry[] {
  if (!decidedAt || decidedByName === null) return []
  const at = decidedAt.toISOString()
  return [{ kind: 'approved', at, operationId: id, by: decidedByName, comment: decisionReason }]
}

type Observation = StateRow & { event: PayoutEvent | null }
type ReachedState = PayoutTimelineEntry & { kind: 'state' }

/** The regular course. What comes after any other status is not known. */
const course = ['requested', 'processing', 'completed']
const ahead: Partial<Record<string, string[]>> = { requested: ['processing', 'completed'], processing: ['completed'] }

/** The observations in their order, those of one state merged. Of the same millisecond the present one is last, and others follow the regular course. */
function merged(observations: readonly Observation[], now: ReturnType<typeof toPayoutState>): ReachedState[] {
  const rank = ({ status }: Observation) => (course.includes(status) ? course.indexOf(status) : course.length)
  const isPresent = (one: Observation) => Number(now !== null && isSameState(one, now))
  const inOrder = observations.toSorted(
    (one, other) =>
      one.at.getTime() - other.at.getTime() ||
      isPresent(one) - isPresent(other) ||
      rank(one) - rank(other) ||
      one.seenAt.getTime() - other.seenAt.getTime(),
  )
  const states: ReachedState[] = []
  for (const { at, status, subStatus, cancellationReason, seenAt, event } of inOrder) {
    const last = states.at(-1)
    if (last && isSameState(last, { status, subStatus, cancellationReason })) {
      last.cancellationReason ??= cancellationReason
      if (seenAt.toISOString() < last.seenAt) last.seenAt = seenAt.toISOString()
      if (event && !last.events.some(({ id }) => id === event.id)) last.events.push(event)
    } else {
      states.push({
        kind: 'state',
        at: at.toISOString(),
        status,
        subStatus: subStatus || null,
        cancellationReason,
        isNow: false,
        seenAt: seenAt.toISOString(),
        events: event ? [event] : [],
      })
    }
  }
  const present = now && states.findLast((state) => isSameState(state, now))
  if (present) present.isNow = true
  return states
}

type Comparable = Pick<StateRow, 'status' | 'cancellationReason'> & { subStatus: string | null }

function isSameState(one: Comparable, other: Comparable): boolean {
  const [reason, otherReason] = [one.cancellationReason, other.cancellationReason]
  return (
    one.status === other.status &&
    (one.subStatus ?? '') === (other.subStatus ?? '') &&
    (reason === otherReason || reason === null || otherReason === null)
  )
}

/** The states up to the present one: a later one was only reported by an event, and the record denies it. */
function untilNow(reached: readonly ReachedState[]): readonly ReachedState[] {
  const present = reached.findLastIndex(({ isNow }) => isNow)
  return present === -1 ? reached : reached.slice(0, present + 1)
}

/** A status that only changed its sub-status is one stop. */
function groupStops(reached: readonly ReachedState[]): PayoutStop[] {
  const stops: PayoutStop[] = []
  for (const { status, at, isNow } of reached) {
    const last = stops.at(-1)
    if (last?.status === status) last.isNow ||= isNow
    else stops.push({ status, at, isNow })
  }
  return stops
}

/** Services write times to the second or finer: times less than a second apart count as equal. */
function isSameTime(one: string, other: string | null): boolean {
  return other !== null && Math.abs(Date.parse(one) - Date.parse(other)) < 1000
}

/** A reset sandbox gives ids of earlier payouts to new ones, which were created at another time. */
function isOfThisPayout({ created }: PayoutRecord, createdAt: Date): boolean {
  return created === null || isSameTime(created, createdAt.toISOString())
}

function stateIn({ body }: EventRow) {
  const record = parsePayoutBody(body)
  return record && toPayoutState(record)
}

function toPayoutEvent({ id, event, receivedAt }: EventRow): PayoutEvent {
  return { id, event, receivedAt: receivedAt.toISOString() }
}

function operationEntry(row: OperationRow): PayoutTimelineEntry {
  return {
    kind: 'operation',
    operationId: row.id,
    act: row.kind,
    at: row.createdAt.toISOString(),
    by: toActor(row),
    reason: row.reason,
    comment: row.comment,
    outcome: toOutcome(row),
  }
}
