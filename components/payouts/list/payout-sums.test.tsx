import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { payoutSums } from './payout-sums.ts'
import { PayoutTotals } from './payout-totals.tsx'

const statuses = [
  { status: 'cancelled', amount: '70000' },
  { status: 'completed', amount: '400000.1' },
  { status: 'failed', amount: '6150' },
  { status: 'processing', amount: '50000.2' },
  { status: 'requested', amount: '0.3' },
  { status: 'under-recall', amount: '900' },
]

test('what left or is on its way is counted exactly, what was given back is not', () => {
  expect(payoutSums({ statuses }, 'source')).toEqual({
    counted: '450900.6',
    notes: [
      { label: 'given back', amount: '76150', isCounted: false },
      { label: 'outcome not known', amount: '900', isCounted: true },
    ],
  })
  expect(payoutSums({ statuses }, 'destination').notes.map(({ label }) => label)).toEqual([
    'not paid',
    'outcome not known',
  ])
})

test('returned payouts are not counted; without any, the total is one figure', () => {
  expect(payoutSums({ statuses: [{ status: 'failed', amount: '1' }] }, 'source').counted).toBe('0')
  expect(payoutSums({ statuses: [{ status: 'completed', amount: '1' }] }, 'source').notes).toEqual([])
})

test('the footer shows both, each with its currency', () => {
  const total = { currency: 'HKD', payouts: 9, excluded: 1, statuses }
  const text = renderToString(<PayoutTotals totals={{ source: [total], destination: [total] }} isFiltered={false} />)
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  expect(text).toContain(
    'All, from accounts −450,900.60 HKD (76,150.00 HKD given back, not counted; 900.00 HKD outcome not known, counted; excludes 1 without an amount)',
  )
  expect(text).toContain('All, to beneficiaries +450,900.60 HKD (76,150.00 HKD not paid, not counted;')
})
