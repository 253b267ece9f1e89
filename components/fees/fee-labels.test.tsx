import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import type { FeeAccount, FeeRow } from '#lib/console/fees/types.ts'
import { feeIntentTitle } from '#lib/contract/fee-intents.ts'
import type { StatusTotals } from '#lib/index/types.ts'
import { refundTotals } from './chosen-fees.ts'
import { AccountFact, accountLabel } from './fee-account.tsx'
import { FeeAmount } from './fee-columns.tsx'
import { selectionText, feeLabel, feeTitle, countWaivable, waiveText } from './fee-labels.ts'
import { BalanceChange } from './waive-dialog.tsx'

function rowOf(fee: object, change: string | null = '-12.5'): FeeRow {
  const whole = { amount: 12.5, currency: 'HKD', status: 'posted', intent: 'late-payment-fee', ...fee }
  return { fee: whole, account: { kind: 'card-account', id: 'a', name: 'Chan Tai Man', xid: null }, change } as FeeRow
}

function textOf(element: React.ReactElement): string {
  return renderToString(<EnvironmentProvider value="sandbox">{element}</EnvironmentProvider>)
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test('a fee is named by its transaction’s description, else by its intent', () => {
  expect(feeTitle(rowOf({ transaction: { description: 'Late payment fee' } }))).toBe('Late payment fee')
  expect(feeTitle(rowOf({ transaction: { description: '' } }))).toBe('Late payment fee')
  expect(feeTitle(rowOf({ transaction: null, intent: 'moon-tax' }))).toBe('Moon tax')
  expect(feeLabel(rowOf({ transaction: null }))).toBe('Late payment fee, −12.50 HKD, Chan Tai Man, a')
})

test('what rows bring back is exact per currency', () => {
  const rows = [
    rowOf({}, '-0.1'),
    rowOf({}, '-0.2'),
    rowOf({ currency: 'USD' }, '-5'),
    rowOf({ currency: 'USD' }, null),
  ]
  expect(refundTotals([rowOf({}, null)])).toEqual([{ currency: 'HKD', amount: null, missing: 1 }])
  expect(refundTotals(rows)).toEqual([
    { currency: 'HKD', amount: '0.3', missing: 0 },
    { currency: 'USD', amount: '5', missing: 1 },
  ])
})

test('an amount has sign and currency, a void one is struck through, an unreadable one is a dash', () => {
  const transaction = { cardAccountId: 'a', entryType: 'CREDIT' }
  expect(textOf(<FeeAmount row={rowOf({ transaction })} />)).toBe('−12.50 HKD')
  expect(renderToString(<FeeAmount row={rowOf({ transaction, status: 'void' })} />)).toContain('line-through')
  expect(textOf(<FeeAmount row={rowOf({ transaction, amount: null }, null)} />)).toBe('– Not provided')
  const unknown = { cardAccountId: 'a', entryType: 'SIDEWAYS' }
  expect(textOf(<FeeAmount row={rowOf({ transaction: unknown }, null)} />)).toBe('12.50 HKD SIDEWAYS')
  expect(textOf(<FeeAmount row={rowOf({ transaction: { accountLabel: 'USD' } })} />)).toBe('−12.50 HKD')
})

test('a waiver’s result shows the balance before and after, and reports other changes of it', () => {
  const balance = (text: string) => ({ currency: 'HKD', balance: text, asOf: '2026-11-21T00:00:00Z' })
  const reported = (after: string) =>
    textOf(<BalanceChange before={balance('-100')} after={balance(after)} change="-12.5" />)
  expect(reported('-87.5')).toMatch(/^Balance −100\.00 HKD is now −87\.50 HKD as of 08:00:00 HKT$/)
  expect(reported('-80')).toMatch(/Other entries changed the balance in between, too\.$/)
  expect(textOf(<BalanceChange before={null} after={null} change={null} />)).toMatch(/could not be read back/)
})

test('two accounts of one name are distinguished by the external ID, else by their own; a funding account has none', () => {
  const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
  const one: FeeAccount = { kind: 'card-account', id, name: 'Arjun Iyer', xid: 'EMP2041' }
  expect(textOf(<AccountFact account={one} />)).toBe('Arjun Iyer EMP2041')
  expect(textOf(<AccountFact account={{ ...one, xid: null }} />)).toBe('Arjun Iyer 6f96…64ff')
  expect([one, { ...one, xid: '' }].map(accountLabel)).toEqual(['Arjun Iyer, EMP2041', 'Arjun Iyer, 6f96…64ff'])
  expect(textOf(<AccountFact account={{ ...one, name: null, xid: null }} />)).toBe('6f96…64ff')
  expect(accountLabel({ ...one, name: null })).toBe('6f96…64ff')
  expect(accountLabel({ kind: 'funding-account', label: 'USD', number: '1' })).toBe('USD')
})

test('the offer to waive counts no void fee', () => {
  const sum = (status: string, records: number) => ({ status, records, amount: '0' })
  const currencies = [
    { statuses: [sum('pending', 16), sum('posted', 69), sum('void', 13)] },
    { statuses: [sum('posted', 1000), sum('void', 5), sum('strange', 1)] },
  ]
  const totals = { matching: 1104, currencies } as StatusTotals
  const waivable = countWaivable(totals)
  expect(waivable).toBe(1086)
  expect([selectionText(waivable), waiveText(waivable)]).toEqual(['All 1,086 waivable', 'Waive 1,086…'])
  expect([selectionText(null), waiveText(countWaivable(undefined))]).toEqual(['Select all waivable', 'Waive all…'])
})

test('every intent has a plain label, unknown ones too', () => {
  expect(['late-payment-fee', 'atm_fee', 'Fee', '--'].map(feeIntentTitle)).toEqual([
    'Late payment fee',
    'ATM fee',
    'Fee',
    '--',
  ])
})
