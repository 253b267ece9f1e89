import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { PayoutRecord } from '#lib/console/payouts/types.ts'
import { countedSum, pageTotals, PayoutTotals } from './payout-totals.tsx'

const statuses = [
  { status: 'cancelled', amount: '70000' },
  { status: 'completed', amount: '400000.1' },
  { status: 'failed', amount: '6150' },
  { status: 'processing', amount: '50000.2' },
  { status: 'requested', amount: '0.3' },
  { status: 'under-recall', amount: '900' },
]

test('what left or is on its way is counted exactly, what was given back is not', () => {
  expect(countedSum({ statuses })).toBe('450900.6')
  expect(countedSum({ statuses: [{ status: 'failed', amount: '1' }] })).toBe('0')
})

const payout = (status: string, sourceAmount: string | null, sourceCurrency: string | null = 'HKD') =>
  ({
    status,
    sourceAmount,
    sourceCurrency,
    destinationAmount: '7',
    destinationCurrency: 'PHP',
  }) as Partial<PayoutRecord> as PayoutRecord

test('a page’s totals equal the sums of its rows, by currency', () => {
  const rows = [
    payout('completed', '0.1'),
    payout('requested', '0.2'),
    payout('failed', '5'),
    payout('completed', null),
    payout('completed', '9', 'USD'),
    payout('completed', '9', null),
  ]
  const totals = pageTotals(rows, 'source')
  expect(totals.map((total) => [total.currency, total.payouts, total.excluded, countedSum(total)])).toEqual([
    ['HKD', 4, 1, '0.3'],
    ['USD', 1, 0, '9'],
  ])
})

test('the footer totals the page, and all payouts where there are more', () => {
  const total = { currency: 'HKD', payouts: 9, excluded: 1, statuses }
  const text = (matching: number) =>
    renderToString(
      <PayoutTotals
        payouts={[payout('completed', '5'), payout('cancelled', '8')]}
        matching={matching}
        totals={{ source: [total], destination: [total] }}
      />,
    )
      .replaceAll('<!-- -->', '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
  expect(text(2)).toContain('This page, from accounts −5.00 HKD This page, to beneficiaries +7.00 PHP')
  expect(text(2)).not.toContain('All')
  expect(text(9)).toContain('All 9, from accounts −450,900.60 HKD excludes 1 without an amount')
})
