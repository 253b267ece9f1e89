import { expect, test } from 'vitest'
import { balanceSentence } from './balance-sentence.ts'

type Explained = Parameters<typeof balanceSentence>[0]

function explained(
  account: Partial<Explained['account']>,
  more: { available: string; expected?: string | null; pendingTaken?: string; disputed?: string },
): Explained {
  const expected = more.expected === undefined ? more.available : more.expected
  const difference = expected === null ? null : String(Number(more.available) - Number(expected))
  const base = { id: 'a', accountType: 'credit', currency: 'HKD', limit: 20_000, balance: 0 } as Explained['account']
  return {
    account: { ...base, ...account },
    available: { stated: more.available, expected, difference },
    disputed: { stated: more.disputed ?? '0', expected: more.disputed ?? '0', difference: '0' },
    pendingTaken: more.pendingTaken ?? '0',
  }
}

test.each<[string, Explained, string]>([
  [
    'a credit account that owes, with pending charges',
    explained({ balance: -18_760 }, { available: '1240', pendingTaken: '760' }),
    'Available is 1,240.00 HKD: the limit of 20,000.00, minus 18,760.00 owed, of which 760.00 is pending.',
  ],
  [
    'a credit account that owes less than is pending',
    explained({ balance: -100 }, { available: '19900', pendingTaken: '760' }),
    'Available is 19,900.00 HKD: the limit of 20,000.00, minus 100.00 owed, with 760.00 of pending charges taken off already.',
  ],
  [
    'a credit account that holds money',
    explained({ balance: 500 }, { available: '20500' }),
    'Available is 20,500.00 HKD: the limit of 20,000.00, plus 500.00 held.',
  ],
  [
    'a credit account with nothing on it',
    explained({}, { available: '20000' }),
    'Available is 20,000.00 HKD: the limit of 20,000.00, and nothing is owed.',
  ],
  [
    'a credit account that holds money, with pending charges',
    explained({ balance: 500 }, { available: '20500', pendingTaken: '9.5' }),
    'Available is 20,500.00 HKD: the limit of 20,000.00, plus 500.00 held, with 9.50 of pending charges taken off already.',
  ],
  [
    'a credit account with a balance of zero, with pending charges',
    explained({}, { available: '20000', pendingTaken: '9.5' }),
    'Available is 20,000.00 HKD: the limit of 20,000.00, and nothing is owed, with 9.50 of pending charges taken off already.',
  ],
  [
    'a credit account that owes exactly what is pending, with a dispute',
    explained({ balance: -760 }, { available: '19240', pendingTaken: '760', disputed: '12' }),
    'Available is 19,240.00 HKD: the limit of 20,000.00, minus 760.00 owed, of which 760.00 is pending. 12.00 is disputed, which changes nothing in this figure.',
  ],
  [
    'an account without a currency',
    explained({ currency: null, balance: -100 }, { available: '19900' }),
    'Available is 19,900: the limit of 20,000, minus 100 owed.',
  ],
  [
    'a prepaid account',
    explained({ accountType: 'prepaid', limit: 0, balance: 40.5 }, { available: '40.5' }),
    'Available is 40.50 HKD: the account’s balance.',
  ],
  [
    'a prepaid account with a dispute',
    explained(
      { accountType: 'prepaid', limit: 0, balance: 40.5 },
      { available: '40.5', pendingTaken: '9.5', disputed: '12' },
    ),
    'Available is 40.50 HKD: the account’s balance, with 9.50 of pending charges taken off already. 12.00 is disputed, which changes nothing in this figure.',
  ],
  [
    'a prepaid account below zero',
    explained({ accountType: 'prepaid', limit: 0, balance: -1 }, { available: '-1' }),
    'Available is −1.00 HKD: the account’s balance, which is negative.',
  ],
  [
    'figures that do not add up',
    explained({ balance: -18_760 }, { available: '900', expected: '1240' }),
    'Available is 900.00 HKD, while limit and balance come to 1,240.00: 340.00 less than they explain. The card service doesn’t say what for.',
  ],
  [
    'figures that differ by what is disputed',
    explained({ accountType: 'prepaid', balance: 100 }, { available: '70', expected: '100', disputed: '30' }),
    'Available is 70.00 HKD, while the balance is 100.00: 30.00 less than they explain. It is exactly what is disputed.',
  ],
  [
    'an unknown type',
    explained({ accountType: 'charge' }, { available: '5', expected: null }),
    'Available is 5.00 HKD. How it comes about for an account of the type “charge” isn’t known.',
  ],
])('%s', (_, given, sentence) => {
  expect(balanceSentence(given)).toBe(sentence)
})

test('without a balance or a limit the sentence names the missing figure', () => {
  const none = { stated: null, expected: null, difference: null }
  const account = { id: 'a', accountType: 'credit', currency: 'HKD', limit: null, balance: null }
  const explained = (stated: string | null) =>
    balanceSentence({
      account: { ...account, available: null, outstanding: null, disputeAmount: null },
      available: { ...none, stated },
      disputed: none,
      pendingTaken: '0',
    })
  expect(explained('5')).toBe('Available is 5.00 HKD. It can’t be explained: balance and limit not provided.')
  expect(explained(null)).toBe('The card service didn’t provide what is available.')
})
