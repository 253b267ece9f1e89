import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { accountTransactionIntents, accountTransactionStatuses } from '#lib/contract/accounts.ts'
import { LedgerAmount } from './ledger-amount.tsx'
import { ledgerIntents, ledgerIntentLabel, ledgerStatuses, ledgerStatusEntry, noBalanceText } from './ledger-labels.ts'

test('every intent and status of the contract has a label; an unknown one is shown as sent', () => {
  expect(ledgerIntents.toSorted()).toEqual([...accountTransactionIntents].toSorted())
  expect(ledgerStatuses.toSorted()).toEqual([...accountTransactionStatuses].toSorted())
  expect(ledgerIntentLabel('clawback')).toBe('clawback')
  expect(ledgerStatusEntry('valueOf').label).toBe('valueOf')
})

test('the direction of an amount is its sign', () => {
  const text = (amount: number) =>
    renderToStaticMarkup(<LedgerAmount entry={{ amount, asset: 'HKD', status: 'posted' }} />).replace(/<[^>]*>/g, ' ')
  expect(text(300000.1)).toMatch(/\+300,000\.10 +HKD *$/)
  expect(text(-25000)).toMatch(/−25,000\.00 +HKD *$/)
})

test('an entry without a balance says why', () => {
  expect(noBalanceText('pending')).toBe('not posted yet')
  expect(noBalanceText('settling')).toBeNull()
  expect(noBalanceText('posted')).toBeNull()
  expect(noBalanceText('void')).toBe('—')
})
