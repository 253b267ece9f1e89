import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { FeeDetail } from '#lib/console/fees/types.ts'
import { waiverRows } from './waive-dialog.tsx'

test.each([
  ['HKD', '-3', 'HKD', '103.00'],
  ['USD', '-3', 'HKD', 'can’t be computed: the fee is in USD, the account in HKD'],
  ['USD', null, 'HKD', 'can’t be computed: the fee’s amount or direction was not provided'],
  [null, '-3', null, 'can’t be computed: the currency of the fee or of the account was not provided'],
])('a fee in %s that changed the balance by %s of an account in %s: %s', (currency, change, own, shown) => {
  const fee = { currency, status: 'posted' }
  const balance = { currency: own, balance: '100', asOf: '2026-12-01T00:00:00Z' }
  const rows = waiverRows({ fee, account: null, change, balance } as unknown as FeeDetail)
  const expected = rows.find(({ label }) => label === 'Expected balance')
  const text = renderToStaticMarkup(expected?.value).replaceAll(/<[^>]+>/g, '')
  expect(text).toContain(shown)
})
