import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { FeeRow } from '#lib/console/fees.ts'
import { BalanceChange } from './balance-change.tsx'
import { broughtBack } from './chosen-fees.ts'
import { FeeAmount } from './fee-amount.tsx'
import { feeLabel, feeTitle, turned } from './fee-words.ts'
import { reasonProblem } from './reason-problem.ts'

function rowOf(fee: object, change: string | null = '-12.5'): FeeRow {
  const whole = { amount: 12.5, currency: 'HKD', status: 'posted', intent: 'late-payment-fee', ...fee }
  return { fee: whole, account: { kind: 'card-account', id: 'a', name: 'Chan Tai Man' }, change } as FeeRow
}

function textOf(element: React.ReactElement): string {
  return renderToString(element)
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test('a fee is called what its transaction says, else its intent as the service names it', () => {
  expect(feeTitle(rowOf({ transaction: { description: 'Late payment fee' } }))).toBe('Late payment fee')
  expect(feeTitle(rowOf({ transaction: { description: '' } }))).toBe('late-payment-fee')
  expect(feeTitle(rowOf({ transaction: null, intent: 'moon-tax' }))).toBe('moon-tax')
  expect(feeLabel(rowOf({ transaction: null }))).toBe('late-payment-fee, −12.50 HKD, Chan Tai Man')
})

test('turning an amount turns its sign and nothing else, nothing at all has no sign', () => {
  expect(['-12.50', '3', '0', '-0.00'].map(turned)).toEqual(['12.50', '-3', '0', '0'])
})

test('what rows bring back is exact per currency', () => {
  const rows = [
    rowOf({}, '-0.1'),
    rowOf({}, '-0.2'),
    rowOf({ currency: 'USD' }, '-5'),
    rowOf({ currency: 'USD' }, null),
  ]
  expect(broughtBack(rows)).toEqual([
    { currency: 'HKD', amount: '0.3' },
    { currency: 'USD', amount: '5' },
  ])
})

test('an amount bears sign, currency and the interface’s word; what is void is crossed out; what cannot be read is a dash', () => {
  const transaction = { cardAccountId: 'a', entryType: 'CREDIT' }
  expect(textOf(<FeeAmount row={rowOf({ transaction })} />)).toBe('−12.50 HKD credit')
  expect(renderToString(<FeeAmount row={rowOf({ transaction, status: 'void' })} />)).toContain('line-through')
  expect(textOf(<FeeAmount row={rowOf({ transaction }, null)} />)).toBe('– none')
  expect(textOf(<FeeAmount row={rowOf({ transaction: { accountLabel: 'USD' } })} />)).toBe('−12.50 HKD')
})

test('the end of a waiver tells the balance before and after, and says when something else moved it too', () => {
  const balance = (text: string) => ({ currency: 'HKD', balance: text, available: null, asOf: '2026-11-21T00:00:00Z' })
  const told = (after: string) =>
    textOf(<BalanceChange before={balance('-100')} after={balance(after)} change="-12.5" />)
  expect(told('-87.5')).toMatch(/^Balance −100\.00 HKD is now −87\.50 HKD as of 08:00:00 HKT$/)
  expect(told('-80')).toMatch(/Other entries changed the balance in between, too\.$/)
  expect(textOf(<BalanceChange before={null} after={null} change={null} />)).toMatch(/could not be read back/)
})

test('a reason holds no card number, and many fees need one', () => {
  expect(reasonProblem('', false)).toBeUndefined()
  expect(reasonProblem('', true)).toMatch(/^Say why/)
  expect(reasonProblem('card 4242424242424242', false)).toMatch(/card number/)
})
