import { expect, test } from 'vitest'
import { balanceGroups, totalOf } from './balance-tiles.tsx'

const items = [
  { group: '', currency: 'HKD', balance: 99, value: 99 },
  { group: 'sales', currency: 'HKD', balance: 0.1, value: 0.01 },
  { group: 'sales', currency: 'USD', balance: 0.2, value: 0.2 },
  { group: 'travel', currency: 'HKD', balance: -0.3, value: -50 },
]

test('groups gather their currencies, the heaviest first, accounts without the key last', () => {
  expect(balanceGroups(items)).toEqual([
    { group: 'travel', balances: [{ currency: 'HKD', balance: '-0.3', missing: 0 }], value: '-50', missing: 0 },
    {
      group: 'sales',
      balances: [
        { currency: 'HKD', balance: '0.1', missing: 0 },
        { currency: 'USD', balance: '0.2', missing: 0 },
      ],
      value: '0.21',
      missing: 0,
    },
    { group: '', balances: [{ currency: 'HKD', balance: '99', missing: 0 }], value: '99', missing: 0 },
  ])
})

test('the total is exact', () => {
  expect(totalOf(items)).toEqual({
    balances: [
      { currency: 'HKD', balance: '98.8', missing: 0 },
      { currency: 'USD', balance: '0.2', missing: 0 },
    ],
    value: '49.21',
    missing: 0,
  })
})

test('a sum excludes what was not provided and counts it; without any there is no sum', () => {
  const none = { group: null, currency: null, balance: null, value: null }
  expect(balanceGroups([...items, none]).at(-1)).toEqual({
    group: null,
    balances: [{ currency: null, balance: null, missing: 1 }],
    value: null,
    missing: 1,
  })
  expect(totalOf([...items, none])).toMatchObject({ value: '49.21', missing: 1 })
})
