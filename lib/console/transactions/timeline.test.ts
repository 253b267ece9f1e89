import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { makeTimeline, type TransactionEvent } from './timeline.ts'
import type { RelatedEntry, TimelineEntry } from './types.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 0, minutes)).toISOString()

function charge(changes: Partial<CardAccountTransaction> = {}): CardAccountTransaction {
  return {
    id: 'a',
    xid: null,
    xmetadata: null,
    refId: 'TXN1',
    cardAccountId: 'b',
    cardId: 'c',
    cardLast4: '4242',
    cardEmbossedName: 'LEE',
    createdAt: at(0),
    status: 'posted',
    postedAt: at(10),
    intent: 'charge',
    authorization: {
      id: 'd',
      currency: 'HKD',
      amount: 5,
      createdAt: at(0),
      type: 'PURCHASE',
      responseCode: '00',
      responseMessage: 'Approved',
      cardPresent: true,
    },
    merchant: null,
    currency: 'HKD',
    amount: 5,
    entryType: 'CREDIT',
    description: 'Shop',
    disputeStatus: null,
    grossAmount: 5,
    ...changes,
  }
}

let events = 0
function reported(minutes: number, changes: Partial<TransactionEvent> = {}): TransactionEvent {
  events += 1
  const event = 'cardaccount.transaction.updated'
  const eventId = `event-${String(events).padStart(6, '0')}`
  return { eventId, event, at: at(minutes), status: 'posted', disputeStatus: null, postedAt: undefined, ...changes }
}
const created = (minutes: number, changes: Partial<TransactionEvent> = {}) =>
  reported(minutes, { event: 'cardaccount.transaction.created', status: 'pending', ...changes })

/** kind, minute, how it is known: enough to compare. */
const short = (entries: readonly TimelineEntry[]) =>
  entries.map(({ kind, at, known, status, isAtLatest }) => {
    const minute = at === null ? '?' : new Date(at).getUTCMinutes()
    const label = kind === 'disputed' || kind === 'status' ? `${kind} ${status}` : kind
    return `${label} ${minute} ${known}${isAtLatest ? ' at the latest' : ''}`
  })

describe('from the record alone', () => {
  test('a captured charge: recorded, authorized, posted', () => {
    expect(short(makeTimeline(charge(), []))).toEqual(['recorded 0 record', 'authorized 0 record', 'posted 10 record'])
  })

  test('a pending one has no more than its authorization', () => {
    const steps = short(makeTimeline(charge({ status: 'pending', postedAt: null }), []))
    expect(steps).toEqual(['recorded 0 record', 'authorized 0 record'])
  })

  test('a declined one was never authorized', () => {
    const steps = short(makeTimeline(charge({ status: 'declined', postedAt: null }), []))
    expect(steps).toEqual(['recorded 0 record', 'declined 0 record'])
  })

  test('a state without a report is inferred, without a time', () => {
    const transaction = charge({ status: 'void', postedAt: null, disputeStatus: 'pending' })
    expect(short(makeTimeline(transaction, []))).toEqual([
      'recorded 0 record',
      'authorized 0 record',
      'void ? inferred',
      'disputed pending ? inferred',
    ])
  })

  test('an unknown status is shown as sent', () => {
    expect(short(makeTimeline(charge({ status: 'settling', postedAt: null }), [])).at(-1)).toBe(
      'status settling ? inferred',
    )
  })
})

describe('with events', () => {
  test('each change of status and dispute has its time and its event; the record’s own time counts more', () => {
    const transaction = charge({ disputeStatus: 'success' })
    const steps = makeTimeline(transaction, [
      created(0),
      reported(11),
      reported(20, { disputeStatus: 'requested' }),
      reported(30, { disputeStatus: 'pending' }),
      reported(40, { disputeStatus: 'success' }),
    ])
    expect(short(steps)).toEqual([
      'recorded 0 record',
      'authorized 0 record',
      'posted 10 record',
      'disputed requested 20 event',
      'disputed pending 30 event',
      'disputed success 40 event',
    ])
    expect(steps.filter(({ eventId }) => eventId !== null)).toHaveLength(5)
  })

  test('a fee that was posted, then waived: the posting is known from the event, the waiver has its person', () => {
    const fee = charge({ intent: 'fee', status: 'void', postedAt: null, authorization: null })
    const by = { id: 'x', name: 'Olivia Poon', role: 'operations' } as const
    const laterReports = [
      created(0, { status: 'posted', postedAt: at(0) }),
      reported(9, { status: 'void', postedAt: null }),
    ]
    const steps = makeTimeline(fee, laterReports, [], { by, at: at(50) })
    expect(short(steps)).toEqual(['recorded 0 record', 'posted 0 event', 'void 9 event'])
    expect(steps.at(-1)?.by).toEqual(by)
    const unheard = makeTimeline(fee, [], [], { by, at: at(50) })
    expect(short(unheard)).toEqual(['recorded 0 record', 'void 50 journal'])
  })

  test('where the inbox began later, a state was so at the latest then', () => {
    const steps = makeTimeline(charge({ status: 'void', postedAt: null, disputeStatus: 'failed' }), [
      reported(30, { status: 'void', disputeStatus: 'failed' }),
    ])
    expect(short(steps).slice(2)).toEqual(['void 30 event at the latest', 'disputed failed 30 event at the latest'])
  })

  test('a dispute that ended without a status, and one that the last event did not know of yet', () => {
    const ended = makeTimeline(charge(), [created(0), reported(5, { disputeStatus: 'requested' }), reported(6)])
    expect(short(ended).slice(2)).toEqual(['disputed requested 5 event', 'disputed null 6 event', 'posted 10 record'])
    const later = makeTimeline(charge({ disputeStatus: 'reported' }), [created(0), reported(5)])
    expect(short(later).at(-1)).toBe('disputed reported ? inferred')
  })

  test('an event with only a dispute status changes nothing else', () => {
    const bare = reported(12, { status: undefined, disputeStatus: 'requested' })
    expect(short(makeTimeline(charge({ disputeStatus: 'requested' }), [created(0), bare]))).toEqual([
      'recorded 0 record',
      'authorized 0 record',
      'posted 10 record',
      'disputed requested 12 event',
    ])
  })

  test('a refund with the same reference is known, one that looks like it is inferred', () => {
    const refund = (basis: RelatedEntry['basis']) =>
      ({ relation: 'refund', id: 'r', createdAt: at(20), basis, status: 'posted' }) as RelatedEntry
    expect(short(makeTimeline(charge(), [], [refund('reference')])).at(-1)).toBe('refunded 20 record')
    expect(short(makeTimeline(charge(), [], [refund('amount')])).at(-1)).toBe('refunded 20 inferred')
    expect(short(makeTimeline(charge(), [], [refund('part')])).join()).not.toContain('refunded')
    const cancelled = { ...refund('reference'), status: 'void' as const }
    expect(short(makeTimeline(charge(), [], [cancelled])).join()).not.toContain('refunded')
  })
})

test('the order and repetition of deliveries make no difference', () => {
  const status = fc.constantFrom('pending', 'posted', 'void', 'settling', undefined)
  const dispute = fc.constantFrom(null, 'requested', 'pending', 'success', 'failed', undefined)
  const one = fc.record({ minute: fc.nat(5), status, disputeStatus: dispute, isFirst: fc.boolean() })
  fc.assert(
    fc.property(
      fc.array(one, { maxLength: 8 }),
      fc.infiniteStream(fc.nat()),
      status,
      dispute,
      (list, random, now, disputeNow) => {
        const heard = list.map(({ minute, isFirst, ...state }) =>
          isFirst ? created(minute, state) : reported(minute, state),
        )
        const keyed = heard.map((event) => ({ event, place: random.next().value as number }))
        const shuffled = keyed.toSorted((left, right) => left.place - right.place).map(({ event }) => event)
        const transaction = charge({ status: now ?? 'pending', postedAt: null, disputeStatus: disputeNow ?? null })
        expect(makeTimeline(transaction, [...shuffled, ...heard])).toEqual(makeTimeline(transaction, heard))
      },
    ),
  )
})

test('the last step of status and of dispute always matches the present record', () => {
  const status = fc.constantFrom('pending', 'posted', 'void', 'settling')
  const dispute = fc.constantFrom(null, 'requested', 'pending', 'success')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(5), status, dispute), { maxLength: 6 }),
      status,
      dispute,
      (list, now, disputeNow) => {
        const heard = [
          created(0),
          ...list.map(([minute, one, other]) => reported(minute + 1, { status: one, disputeStatus: other })),
        ]
        const transaction = charge({ status: now, postedAt: null, disputeStatus: disputeNow })
        const steps = makeTimeline(transaction, heard)
        const lastDispute = steps.findLast(({ kind }) => kind === 'disputed')
        expect(lastDispute?.status ?? null).toBe(disputeNow)
        const lastStatus = steps.findLast(({ kind }) => ['posted', 'void', 'status'].includes(kind))
        if (now !== 'pending' || lastStatus) expect(lastStatus?.status).toBe(now)
      },
    ),
  )
})

test('a missing or unknown status claims neither an approval nor a decline', () => {
  expect(short(makeTimeline(charge({ status: null, postedAt: null }), []))).toEqual(['recorded 0 record'])
  expect(short(makeTimeline(charge({ status: 'on-hold', postedAt: null }), []))).toEqual([
    'recorded 0 record',
    'status on-hold ? inferred',
  ])
})

test('a transaction without any time has a timeline without times', () => {
  const entries = makeTimeline(charge({ createdAt: null, postedAt: null, authorization: null }), [])
  expect(short(entries)).toEqual(['recorded ? record', 'posted ? inferred'])
})
