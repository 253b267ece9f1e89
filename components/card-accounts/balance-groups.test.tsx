import { expect, test } from 'vitest'
import type { GroupBalance } from '#lib/console/card-accounts/types.ts'
import { balanceGroups, addUpGroups } from './balance-tiles.tsx'

const zero = { outstanding: 0, outstandingValue: 0, available: 0, availableValue: 0, lacking: 0 }
const items: GroupBalance[] = [
  { ...zero, group: '', currency: 'HKD', balance: 99, value: 99 },
  { ...zero, group: 'sales', currency: 'HKD', balance: 0.1, value: 0.01, outstandingValue: '0.3', availableValue: 5 },
  { ...zero, group: 'sales', currency: 'USD', balance: 0.2, value: 0.2, outstandingValue: '0.6', lacking: 2 },
  { ...zero, group: 'travel', currency: 'HKD', balance: -0.3, value: -50 },
]

test('groups gather balance, outstanding and available, the heaviest first, accounts without the key last', () => {
  const found = balanceGroups(items)
  expect(found.map(({ group, value }) => [group, value])).toEqual([
    ['travel', '-50'],
    ['sales', '0.21'],
    ['', '99'],
  ])
  expect(found[1]).toEqual({
    group: 'sales',
    balances: [
      { currency: 'HKD', balance: '0.1' },
      { currency: 'USD', balance: '0.2' },
    ],
    value: '0.21',
    outstanding: '0.9',
    available: '5',
    missing: 2,
  })
})

test('the total is exact', () => {
  expect(addUpGroups(items)).toMatchObject({
    balances: [
      { currency: 'HKD', balance: '98.8' },
      { currency: 'USD', balance: '0.2' },
    ],
    value: '49.21',
    outstanding: '0.9',
  })
})

test('a figure of which a part has no value counts that part, also where the balances have one', () => {
  const known = items.slice(0, 1)
  const lacking = { ...zero, outstandingValue: null, group: '', currency: 'HKD', balance: 1, value: 1 }
  expect(addUpGroups([...known, lacking])).toMatchObject({ value: '100', outstanding: '0', missing: 1 })
  expect(addUpGroups([lacking])).toMatchObject({ value: '1', outstanding: null, missing: 0 })
})

test('a sum excludes what was not provided and counts it; without any there is no sum', () => {
  const none: GroupBalance = {
    group: null,
    currency: null,
    balance: null,
    value: null,
    outstanding: null,
    outstandingValue: null,
    available: null,
    availableValue: null,
    lacking: 0,
  }
  expect(balanceGroups([...items, none]).at(-1)).toEqual({
    group: null,
    balances: [{ currency: null, balance: null }],
    value: null,
    outstanding: null,
    available: null,
    missing: 1,
  })
  expect(addUpGroups([...items, none])).toMatchObject({ value: '49.21', missing: 3 })
})
