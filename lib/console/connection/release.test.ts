import { expect, test } from 'vitest'
import { contractNames } from '#lib/client/contract-names.ts'
import { contractProfile, type ServiceProfile } from '#lib/client/service-profile.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { eventTable } from '#lib/contract/events.ts'
import { releases } from '#lib/contract/releases.ts'
import type { ObservedCall } from './read-calls.ts'
import { releaseFinding } from './release.ts'

const callOf = (name: EndpointName, body: unknown): ObservedCall => ({
  name,
  endpoint: name,
  verdict: 'matches',
  status: 200,
  code: null,
  durationMs: 1,
  requestId: null,
  records: 1,
  differences: [],
  unknownFields: [],
  reason: null,
  headers: {},
  body,
  record: body,
})

const accounts = (...cardaccounts: object[]) => callOf('listCardAccounts', { cardaccounts })
const identity = (individual: object, rejectedReason: string | null = null) =>
  callOf('getClientIdentity', { cardAccountId: 'a', status: 'approved', rejectedReason, individual })
const approved = (data: object) => ({ event: 'cardaccount.client-identity.approved', data })

const titleOf = (calls: ObservedCall[], events: { event: string; data: unknown }[] = [], profile = contractProfile) =>
  releaseFinding(calls, profile, events).title

test('the history is the interface’s, the newest first, and every trace is a field of the contract', () => {
  expect(releases.map(({ version }) => version).join(' ')).toBe(
    '1.4.8 1.4.7 1.4.6 1.4.5 1.4.4 1.4.3 1.4.2 1.4.1 1.4.0 1.3.0 1.2.0 1.1.0',
  )
  const { fields } = contractNames()
  for (const trace of releases.flatMap(({ traces }) => traces)) {
    const names = 'event' in trace ? Object.keys(eventTable[trace.event].data.shape) : fields.get(trace.record)
    expect([...(names ?? [])], JSON.stringify(trace)).toContain(trace.field)
  }
})

test('a service responds like the newest release that one of its additions shows', () => {
  expect(titleOf([accounts({ id: 'a', disputeAmount: 0 })])).toBe('1.4.7 or later')
  expect(titleOf([identity({ nationality: 'HK' })])).toBe('1.3.0 or later')
  expect(titleOf([identity({}, 'Incomplete Info (not residential address)')])).toBe('1.4.3 or later')
  expect(titleOf([identity({ supportingDocuments: [{ documentType: 'TRAVEL_PERMIT_BACK' }] })])).toBe('1.4.0 or later')
  expect(titleOf([], [approved({ cardAccountId: 'a', xid: null })])).toBe('1.4.8, the newest')
})

test('what no response shows is no lack: it is said that it can’t be told', () => {
  expect(titleOf([])).toBe('Can’t tell: no response shows a release')
  expect(titleOf([accounts(), identity({ supportingDocuments: [{ documentType: 'VISA' }] })])).toMatch(/^Can’t tell/)
  expect(releaseFinding([accounts({ disputeAmount: 1 })], contractProfile)).toEqual({
    version: '1.4.7',
    title: '1.4.7 or later',
    notes: ['No response shows data.xid in both client identity events (1.4.8).'],
  })
})

test('what is always sent and is absent makes it an earlier release, and says what was added since', () => {
  expect(releaseFinding([accounts({ id: 'a' }, { id: 'b' }), identity({ gender: 'F' })], contractProfile)).toEqual({
    version: '1.3.0',
    title: '1.3.0 or later, before 1.4.7',
    notes: [
      'Lacks CardAccount.disputeAmount (1.4.7): in none of 2 sent.',
      '1.4.8 added data.xid in both client identity events.',
      '1.4.7 added disputeAmount of card accounts, disputeStatus of their transactions; cardaccount.transaction.updated for a changed dispute, too.',
    ],
  })
  expect(titleOf([accounts({ id: 'a' })])).toBe('Before 1.4.7')
  expect(titleOf([accounts({ disputeAmount: 0 })], [approved({ cardAccountId: 'a' })])).toBe(
    '1.4.7 or later, before 1.4.8',
  )
})

test('a newer addition beside a lack of an older one is no whole release', () => {
  expect(titleOf([accounts({ id: 'a' })], [approved({ xid: 'EMP-1' })])).toBe('1.4.8, in part')
})

test('a field under another name of the names file counts', () => {
  const profile: ServiceProfile = { ...contractProfile, fields: { CardAccount: { disputeAmount: 'disputed' } } }
  expect(titleOf([accounts({ disputed: 0 })], [], profile)).toBe('1.4.7 or later')
  expect(titleOf([accounts({ disputed: 0 })])).toBe('Before 1.4.7')
})
