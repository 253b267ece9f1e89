import { expect, test } from 'vitest'
import type { TimelineEntry } from '#lib/console/transactions/types.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { timelineLabels } from './transaction-timeline.tsx'

const transaction = {
  intent: 'charge',
  status: 'declined',
  refId: 'TXN1',
  authorization: { responseCode: '61', responseMessage: 'Exceeds the daily limit' },
} as CardAccountTransaction

function entry(changes: Partial<TimelineEntry>): TimelineEntry {
  const at = '2026-11-20T00:00:00.000Z'
  const none = { status: null, eventId: null, relatedId: null, by: null }
  return { kind: 'recorded', at, known: 'record', isAtLatest: false, ...none, ...changes }
}

test.each<[Partial<TimelineEntry>, string, RegExp]>([
  [{}, 'Recorded', /Charge, reference TXN1/],
  [{ kind: 'authorized' }, 'Authorized', /Exceeds the daily limit \(response code 61\)/],
  [{ kind: 'declined' }, 'Declined', /^$/],
  [{ kind: 'posted', status: 'posted' }, 'Captured', /final/],
  [{ kind: 'void', status: 'void', at: null }, 'Void', /no longer counts/],
  [{ kind: 'void', by: { id: 'a', name: 'Olivia Poon', role: 'operations' } }, 'Void', /waived by Olivia Poon/],
  [{ kind: 'status', status: 'settling' }, 'Became settling', /^$/],
  [{ kind: 'refunded', known: 'inferred' }, 'Refunded', /may be another refund/],
  [{ kind: 'refunded' }, 'Refunded', /same reference/],
  [{ kind: 'disputed', status: 'requested' }, 'Dispute requested', /Counts in the disputed/],
  [{ kind: 'disputed', status: 'escalated', at: null }, 'escalated', /as the card service sent it/],
  [{ kind: 'disputed', status: null }, 'Not disputed any more', /^$/],
  [{ kind: 'disputed', status: 'pending', isAtLatest: true }, 'Dispute pending', /may have been so before/],
])('%j', (changes, title, detail) => {
  const shown = timelineLabels(entry(changes), transaction)
  expect(shown.title).toBe(title)
  expect(shown.detail ?? '').toMatch(detail)
})
