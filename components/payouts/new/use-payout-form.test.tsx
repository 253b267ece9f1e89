import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Account } from '#lib/contract/records.ts'
import { usePayoutForm } from './use-payout-form.ts'

const account = (id: string, currency: string) => ({ id, name: id, currency, available: 20_000 }) as Account

const repeated = {
  name: 'Maria Santos',
  method: 'BANK_TRANSFER',
  country: 'PH',
  currency: 'PHP',
  fields: {
    amount: '10000',
    'destination.bankCode': 'BOPI',
    'destination.accountNumber': '001230456789',
    'destination.address': '6780 Ayala Avenue',
  },
  sourceCurrency: 'HKD',
}
const philippines = 'method=BANK_TRANSFER&country=PH&currency=PHP'

/** What the form shows of a payout of 10,000 HKD to repeat, with these funding accounts. */
function repeatedWith(accounts: readonly Account[], searchParams: string) {
  const seen: Pick<ReturnType<typeof usePayoutForm>, 'entry' | 'notes'>[] = []
  function Form() {
    seen.push(usePayoutForm({ current: null }, accounts, () => undefined, repeated))
    return null
  }
  renderToString(
    <NuqsTestingAdapter searchParams={searchParams}>
      <Form />
    </NuqsTestingAdapter>,
  )
  const shown = seen.at(-1)
  const { bankCode, accountNumber, address } = shown?.entry.destination ?? {}
  const { amount, sourceCurrency: currency } = shown?.entry ?? {}
  return { amount, currency, bankCode, accountNumber, address, notes: shown?.notes }
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
  ['cleared where its account is not known', [usd, hkd], '?', { amount: '', currency: 'USD', notes: cleared }],
  ['kept with another account of its currency', [hkd], '?', { amount: '10000', currency: 'HKD', notes: [] }],
])('the amount of a payout to repeat is %s', (_, accounts, address, shown) => {
  expect(repeatedWith(accounts, `${address}&${philippines}`)).toMatchObject(shown)
})

const whole = { amount: '10000', bankCode: 'BOPI', accountNumber: '001230456789', address: '6780 Ayala Avenue' }

test.each([
  ['the same choices', philippines, whole, null],
  ['the other side of the amount', `${philippines}&fix=destination`, { ...whole, amount: '' }, 'more: the amount.'],
  ['another country', 'method=BANK_TRANSFER&country=IN&currency=INR', { ...whole, bankCode: '' }, 'more: the bank.'],
  ['another method', 'method=NETWORK_CARD', { ...whole, bankCode: '', accountNumber: '' }, 'fit any more: '],
])('a form that opens again with %s has of the payout to repeat what fits', (_, address, shown, note) => {
  const { notes, ...found } = repeatedWith([hkd], `?${address}`)
  expect(found).toMatchObject(shown)
  expect(notes).toEqual(note === null ? [] : [expect.stringContaining(note)])
})
