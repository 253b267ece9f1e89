import type { Actor } from '#lib/audit/types.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { isUncounted } from '#lib/contract/terms.ts'
import { unknownLast } from '#lib/shared/provided.ts'
import type { RelatedEntry, TimelineEntry, TimelineKind } from './types.ts'

/** The fields of a transaction in one delivery. Undefined: not included. Times are ISO 8601 by the service's clock. */
export type TransactionEvent = {
  eventId: string
  event: string
  /** The event's own time; where it has none, when it was received. */
  at: string
  status: string | undefined
  disputeStatus: string | null | undefined
  postedAt: string | null | undefined
}

/** A fee that was waived with this console: by whom, and when by the console's clock. */
export type Waiver = { by: Actor; at: string }

/** Same instant: what follows from what. Steps of the status keep the order in which they were reported. */
const order: Record<TimelineKind, number> = {
  recorded: 0,
  authorized: 1,
  declined: 1,
  posted: 2,
  status: 2,
  void: 2,
  refunded: 3,
  disputed: 4,
}

/**
 * The timeline of a transaction, oldest first: from its own record, from events in any order of arrival, and from
 * inferences. A step of unknown time is at the end.
 */
export function makeTimeline(
  transaction: CardAccountTransaction,
  reported: readonly TransactionEvent[],
  related: readonly RelatedEntry[] = [],
  waiver: Waiver | null = null,
): TimelineEntry[] {
  const ordered = reported.toSorted(inOrder)
  const entries = [
    ...beginning(transaction, ordered),
    ...statusSteps(transaction, ordered, waiver),
    ...related
      .filter(({ relation, basis, status }) => relation === 'refund' && basis !== 'part' && !isUncounted(status))
      .map(({ id, createdAt, basis, status }) =>
        step('refunded', createdAt, basis === 'reference' ? 'record' : 'inferred', { relatedId: id, status }),
      ),
    ...disputeSteps(transaction, ordered),
  ]
  return entries.toSorted((one, other) => byTime(one.at, other.at) || order[one.kind] - order[other.kind])
}

function step(
  kind: TimelineKind,
  at: string | null,
  known: TimelineEntry['known'],
  more: Partial<TimelineEntry> = {},
): TimelineEntry {
  return { kind, at, known, isAtLatest: false, status: null, eventId: null, relatedId: null, by: null, ...more }
}

function instantMs(instant: string): number {
  const ms = Date.parse(instant)
  return Number.isNaN(ms) ? 0 : ms
}

const byTime = unknownLast<string>((one, other) => instantMs(one) - instantMs(other))

const statusOrder = ['pending', 'posted', 'declined', 'void']
const disputeOrder = ['', 'requested', 'pending', 'reported', 'success', 'failed']

/** Sorted by their own times, since deliveries overtake each other; at the same instant in the order of the states. */
function inOrder(one: TransactionEvent, other: TransactionEvent): number {
  return (
    instantMs(one.at) - instantMs(other.at) ||
    Number(isFirst(other)) - Number(isFirst(one)) ||
    statusOrder.indexOf(one.status ?? '') - statusOrder.indexOf(other.status ?? '') ||
    disputeOrder.indexOf(one.disputeStatus ?? '') - disputeOrder.indexOf(other.disputeStatus ?? '') ||
    (one.eventId < other.eventId ? -1 : 1)
  )
}

/** The first event of a transaction: its values were valid from then on. */
function isFirst({ event }: TransactionEvent): boolean {
  return event.endsWith('.created') || event.endsWith('.declined')
}

/** Whether an authorization was approved follows from the status; a missing or unknown one does not say. */
const judgements: Partial<Record<string, 'authorized' | 'declined'>> = {
  pending: 'authorized',
  posted: 'authorized',
  void: 'authorized',
  declined: 'declined',
}

function beginning(transaction: CardAccountTransaction, reported: readonly TransactionEvent[]): TimelineEntry[] {
  const { createdAt, authorization, status } = transaction
  const eventId = reported.find(isFirst)?.eventId ?? null
  const judged = judgements[status ?? '']
  return [
    step('recorded', createdAt, 'record', { eventId }),
    ...(authorization && judged
      ? [step(judged, authorization.createdAt ?? createdAt, 'record', { status })]
      : status === 'declined'
        ? [step('declined', createdAt, 'inferred', { status })]
        : []),
  ]
}

function statusSteps(
  { status, postedAt }: CardAccountTransaction,
  ordered: readonly TransactionEvent[],
  waiver: Waiver | null,
): TimelineEntry[] {
  const steps: TimelineEntry[] = []
  let before: string | undefined
  for (const reported of ordered) {
    if (reported.status === undefined || reported.status === before) continue
    const isKnownSince = before !== undefined || isFirst(reported)
    if (before !== undefined || (reported.status !== 'pending' && reported.status !== 'declined')) {
      steps.push(
        step(
          statusKind(reported.status),
          reported.status === 'posted' ? (reported.postedAt ?? reported.at) : reported.at,
          'event',
          {
            status: reported.status,
            eventId: reported.eventId,
            isAtLatest: !isKnownSince && !(reported.status === 'posted' && reported.postedAt),
          },
        ),
      )
    }
    before = reported.status
  }
  return withRecord(steps, status, postedAt, before, waiver)
}

function statusKind(status: string): 'posted' | 'void' | 'status' {
  return status === 'posted' || status === 'void' ? status : 'status'
}

/**
 * The record overrides events; a status in neither is inferred from the present status. A record without a status
 * adds nothing.
 */
function withRecord(
  steps: TimelineEntry[],
  status: string | null,
  postedAt: string | null,
  last: string | undefined,
  waiver: Waiver | null,
): TimelineEntry[] {
  if (postedAt !== null) {
    const known = steps.find(({ kind }) => kind === 'posted')
    if (known) Object.assign(known, { at: postedAt, known: 'record', isAtLatest: false })
    else steps.unshift(step('posted', postedAt, 'record', { status: 'posted' }))
  }
  const isReported =
    status === null ||
    status === (last ?? 'pending') ||
    status === 'declined' ||
    (status === 'posted' && postedAt !== null)
  if (!isReported) steps.push(step(statusKind(status), null, 'inferred', { status }))
  if (waiver) {
    const ended = steps.findLast(({ kind }) => kind === 'void')
    if (ended) {
      ended.by = waiver.by
      if (ended.at === null) Object.assign(ended, { at: waiver.at, known: 'journal' })
    }
  }
  return steps
}

function disputeSteps(transaction: CardAccountTransaction, ordered: readonly TransactionEvent[]): TimelineEntry[] {
  const steps: TimelineEntry[] = []
  let before: string | null | undefined
  for (const reported of ordered) {
    if (reported.disputeStatus === undefined || reported.disputeStatus === before) continue
    const isAtLatest = before === undefined && !isFirst(reported)
    const isNews = before !== undefined || reported.disputeStatus !== null
    if (isNews) {
      const { at, eventId, disputeStatus } = reported
      steps.push(step('disputed', at, 'event', { status: disputeStatus, eventId, isAtLatest }))
    }
    before = reported.disputeStatus
  }
  const now = transaction.disputeStatus
  if (now !== (before ?? null)) steps.push(step('disputed', null, 'inferred', { status: now }))
  return steps
}
