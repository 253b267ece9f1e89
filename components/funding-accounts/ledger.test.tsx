import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { addressOfOpened } from '#components/data-table/table-params.ts'
import { hktZone } from '#components/ui/time-format.ts'
import { accountTransactionIntents, accountTransactionStatuses } from '#lib/contract/accounts.ts'
import { LedgerAmount } from './ledger-amount.tsx'
import {
  directionOf,
  ledgerIntents,
  ledgerIntentLabel,
  ledgerStatuses,
  ledgerStatusEntry,
  noBalanceText,
} from './ledger-labels.ts'
import { ledgerFilters, type LedgerParams } from './ledger-params.ts'

test('every intent and status of the contract has its words; one that nobody knows is shown as it is', () => {
  expect(ledgerIntents.toSorted()).toEqual([...accountTransactionIntents].toSorted())
  expect(ledgerStatuses.toSorted()).toEqual([...accountTransactionStatuses].toSorted())
  expect(ledgerIntentLabel('clawback')).toBe('clawback')
  expect(ledgerStatusEntry('valueOf').label).toBe('valueOf')
})

test('a positive amount is a credit, a negative one a debit, in sign and word', () => {
  expect([300000, '-0.01', 0].map((amount) => directionOf(amount).label)).toEqual(['credit', 'debit', ''])
  const text = (amount: number) =>
    renderToStaticMarkup(<LedgerAmount entry={{ amount, asset: 'HKD', status: 'posted' }} />).replace(/<[^>]*>/g, ' ')
  expect(text(300000.1)).toMatch(/\+300,000\.10 +HKD +credit/)
  expect(text(-25000)).toMatch(/−25,000\.00 +HKD +debit/)
})

test('an entry without a balance says why', () => {
  expect(noBalanceText('pending')).toBe('not posted yet')
  expect(noBalanceText('settling')).toBeNull()
  expect(noBalanceText('posted')).toBeNull()
  expect(noBalanceText('void')).toBe('never posted')
})

const none: LedgerParams = {
  account: null,
  intent: null,
  status: null,
  since: null,
  until: null,
  pageToken: null,
  open: null,
}

test('days are whole days of the page’s zone, a range the wrong way round is put right, and the open entry is no filter', () => {
  expect(ledgerFilters({ ...none, since: '2026-11-21', until: '2026-11-20', open: 'x' }, hktZone)).toEqual({
    dateRangeFrom: '2026-11-19T16:00:00.000Z',
    dateRangeTo: '2026-11-21T15:59:59.999Z',
  })
})

test('the address of an entry keeps the filters and the page', () => {
  const read = (address: string) => Object.fromEntries(new URLSearchParams(address))
  const params = { ...none, intent: 'payout', pageToken: 'p q', from: 21 }
  expect(read(addressOfOpened(params, 'id-1'))).toEqual({
    intent: 'payout',
    pageToken: 'p q',
    from: '21',
    open: 'id-1',
  })
  expect(addressOfOpened({ ...none, from: 1 }, 'id-1')).toBe('open=id-1')
})
