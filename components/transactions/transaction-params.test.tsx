import { expect, test } from 'vitest'
import { hktZone } from '#components/ui/time-format.ts'
import { findProblem } from './find-problem.ts'
import { isNarrowed, noTransactionFilters, transactionFilters } from './transaction-params.ts'

const none = { find: null, status: null, intent: null, card: null, since: null, until: null, pageToken: null }

test('an address without filters asks for everything', () => {
  expect(Object.values(transactionFilters(none, hktZone)).every((value) => value === undefined)).toBe(true)
  expect(isNarrowed(none)).toBe(false)
})

test('what is looked for goes along without its edges, with several intents in one order', () => {
  const params = { ...none, find: '  EMP-1 ', intent: ['refund', 'charge'], status: 'posted' }
  expect(transactionFilters(params, hktZone)).toMatchObject({
    find: 'EMP-1',
    intent: ['charge', 'refund'],
    status: 'posted',
  })
  expect(transactionFilters({ ...none, find: ' ' }, hktZone).find).toBeUndefined()
})

test('days are whole days of the page’s zone, a range the wrong way round is put right', () => {
  expect(transactionFilters({ ...none, since: '2026-11-20', until: '2026-11-19' }, hktZone)).toMatchObject({
    dateRangeFrom: '2026-11-18T16:00:00.000Z',
    dateRangeTo: '2026-11-20T15:59:59.999Z',
  })
})

test('each filter alone narrows the list, a page does not, and clearing takes every one away', () => {
  for (const filter of ['find', 'status', 'card', 'since', 'until']) {
    expect(isNarrowed({ ...none, [filter]: 'x' }), filter).toBe(true)
  }
  expect(isNarrowed({ ...none, intent: ['fee'] })).toBe(true)
  expect(isNarrowed({ ...none, pageToken: 'x' })).toBe(false)
  expect(Object.keys(noTransactionFilters).toSorted()).toEqual([...Object.keys(none), 'from'].toSorted())
})

test('a card number and a text that no external id can be are refused before anything is asked', () => {
  expect(findProblem('4242 4242 4242 4242')).toMatch(/card number/)
  expect(findProblem('x'.repeat(257))).toMatch(/256/)
  expect(findProblem('EMP-2041')).toBeUndefined()
  expect(findProblem('42424242-4242-4242-8242-424242424242')).toBeUndefined()
})
