import { expect, test } from 'vitest'
import type { FeeRow } from '#lib/console/fees/types.ts'
import { feeColumns, hasOwnIntents } from './fee-columns.tsx'

const row = (intent: string | null, description: string | null) =>
  ({ fee: { intent, transaction: { description } } }) as FeeRow

test('the intent has a column only where it is not the name of each fee', () => {
  expect(hasOwnIntents([row('late-payment-fee', 'Late payment fee'), row('annual-fee', null)])).toBe(false)
  expect(hasOwnIntents([row('late-payment-fee', 'Late payment fee'), row('annual-fee', 'Card fee of 2026')])).toBe(true)
  const ids = (isIntentShown: boolean) => feeColumns(undefined, isIntentShown).map(({ id }) => id)
  expect(ids(false)).not.toContain('intent')
  expect(ids(true)).toContain('intent')
})
