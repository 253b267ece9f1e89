import { expect, test } from 'vitest'
import { balanceGroups, totalOf } from './balance-groups.ts'

const items = [
  { group: '', currency: 'HKD', balance: 99, value: 99 },
  { group: 'sales', currency: 'HKD', balance: 0.1, value: 0.01 },
  { group: 'sales', currency: 'USD', balance: 0.2, value: 0.2 },
  { group: 'travel', currency: 'HKD', balance: -0.3, value: -50 },
]

test('groups gather their currencies, the heaviest first, accounts without the key last', () => {
  expect(balanceGroups(items)).toEqual([
    { group: 'travel', balances: [{ currency: 'HKD', balance: '-0.3' }], value: '-50' },
    {
      group: 'sales',
      balances: [
        { currency: 'HKD', balance: '0.1' },
        { currency: 'USD', balance: '0.2' },
      ],
      value: '0.21',
    },
    { group: '', balances: [{ currency: 'HKD', balance: '99' }], value: '99' },
  ])
})

test('the total is exact', () => {
  expect(totalOf(items)).toEqual({
    balances: [
      { currency: 'HKD', balance: '98.8' },
      { currency: 'USD', balance: '0.2' },
    ],
    value: '49.21',
  })
})
