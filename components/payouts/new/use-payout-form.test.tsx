import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Account } from '#lib/contract/records.ts'
import { usePayoutForm } from './use-payout-form.ts'

const account = (id: string, currency: string) => ({ id, name: id, currency, available: 20_000 }) as Account

/** What the form shows of a payout of 10,000 HKD to repeat, with these funding accounts. */
function repeatedWith(accounts: readonly Account[], searchParams: string) {
  const seen: Pick<ReturnType<typeof usePayoutForm>, 'entry' | 'notes'>[] = []
  function Form() {
    const repeated = { fields: { amount: '10000', remarks: 'May' }, sourceCurrency: 'HKD' }
    seen.push(usePayoutForm({ current: null }, accounts, () => undefined, repeated))
    return null
  }
  renderToString(
    <NuqsTestingAdapter searchParams={searchParams}>
      <Form />
    </NuqsTestingAdapter>,
  )
  const shown = seen.at(-1)
  return { amount: shown?.entry.amount, currency: shown?.entry.sourceCurrency, notes: shown?.notes }
}

const [usd, hkd] = [account('first', 'USD'), account('second', 'HKD')]
const cleared = ['Cleared, since it does not fit any more: the amount.']

test.each([
  ['kept with its account', [usd, hkd], '?account=second', { amount: '10000', currency: 'HKD', notes: [] }],
  [
    'cleared where its account is not listed',
    [usd],
    '?account=second',
    { amount: '', currency: 'USD', notes: cleared },
  ],
  ['cleared where its account is not known', [usd, hkd], '', { amount: '', currency: 'USD', notes: cleared }],
  ['kept with another account of its currency', [hkd], '', { amount: '10000', currency: 'HKD', notes: [] }],
])('the amount of a payout to repeat is %s', (_, accounts, address, shown) => {
  expect(repeatedWith(accounts, address)).toEqual(shown)
})
