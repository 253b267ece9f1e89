import { expect, test } from 'vitest'
import { clientIdentityStatuses as contractStatuses } from '#lib/contract/client-identity.ts'
import { accountTypes as contractTypes } from '#lib/contract/terms.ts'
import { hktZone } from '../ui/time-format.ts'
import { accountTypes, clientIdentityStatuses } from './account-labels.ts'
import { cardAccountList, cardAccountSearch, groupKeyOf } from './filter-params.ts'

const nothing = cardAccountList.load('')

test('every account type and identity status of the contract has a label', () => {
  expect(accountTypes.toSorted()).toEqual([...contractTypes].toSorted())
  expect(clientIdentityStatuses.toSorted()).toEqual([...contractStatuses].toSorted())
})

test('a sort that the list does not have is left out', () => {
  expect(cardAccountSearch({ ...nothing, currency: 'HKD', sort: '-balance' }, null, hktZone)).toMatchObject({
    sort: 'balance',
    direction: 'desc',
  })
  expect(cardAccountSearch({ ...nothing, sort: '-balance' }, null, hktZone)).not.toHaveProperty('sort')
  expect(cardAccountSearch({ ...nothing, sort: 'password' }, null, hktZone)).not.toHaveProperty('sort')
})

test('a group without its key is never requested', () => {
  const { group, ungrouped } = cardAccountSearch({ ...nothing, group: 'Sales', ungrouped: 'yes' }, null, hktZone)
  expect([group, ungrouped]).toEqual([undefined, undefined])
})

test('the most frequent key groups by default, and an empty choice turns grouping off', () => {
  const keys = [{ key: 'region' }, { key: 'department' }]
  expect(groupKeyOf({ groupKey: null }, keys)).toBe('region')
  expect(groupKeyOf({ groupKey: 'department' }, keys)).toBe('department')
  expect(groupKeyOf({ groupKey: '' }, keys)).toBeNull()
  expect(groupKeyOf({ groupKey: null }, [])).toBeNull()
})

test('grouping and sorting do not count as filters', () => {
  expect(cardAccountList.activeFilters(cardAccountList.load('?groupKey=region&sort=name'))).toBe(0)
  expect(cardAccountList.activeFilters({ ...nothing, ungrouped: 'yes' })).toBe(1)
})
