import { expect, test } from 'vitest'
import { hktZone } from '#components/ui/time-format.ts'
import { feeFilters, filterProblems, isNarrowed, type FeeParams } from './fee-params.ts'

const empty: FeeParams = {
  fee: null,
  intent: null,
  xid: null,
  account: null,
  since: null,
  until: null,
  pageToken: null,
  open: null,
}

test('days are whole days of the page’s zone, and a range the wrong way round is put right', () => {
  for (const [since, until] of [
    ['2026-11-01', '2026-11-03'],
    ['2026-11-03', '2026-11-01'],
  ] as const) {
    expect(feeFilters({ ...empty, since, until }, hktZone)).toMatchObject({
      dateRangeFrom: '2026-10-31T16:00:00.000Z',
      dateRangeTo: '2026-11-03T15:59:59.999Z',
    })
  }
})

test('the same accounts in another order are the same read', () => {
  const read = (account: string[]) => JSON.stringify(feeFilters({ ...empty, account }, hktZone))
  expect(read(['b', 'a'])).toBe(read(['a', 'b']))
  expect(feeFilters({ ...empty, account: [] }, hktZone).accountId).toBeUndefined()
})

test('a fee that is opened or a page that is turned narrows nothing', () => {
  expect(isNarrowed({ ...empty, open: 'x', pageToken: 'y' })).toBe(false)
  for (const name of ['fee', 'intent', 'xid', 'since', 'until'] as const) {
    expect(isNarrowed({ ...empty, [name]: 'x' }), name).toBe(true)
  }
  expect(isNarrowed({ ...empty, account: ['x'] })).toBe(true)
})

test('the rules of the interface are messages before anything is sent', () => {
  expect(filterProblems.fee('5f0c7a52-3b1e-4c9a-8d27-6e4f1b90a7c3')).toBeUndefined()
  expect(filterProblems.fee('FEE_0aZ')).toBeUndefined()
  expect(filterProblems.fee('x'.repeat(201))).toMatch(/200 characters/)
  expect(filterProblems.xid('x'.repeat(256))).toBeUndefined()
  expect(filterProblems.xid('x'.repeat(257))).toBe('At most 256 characters.')
  expect(filterProblems.xid('4242 4242 4242 4242')).toMatch(/card number/)
})
