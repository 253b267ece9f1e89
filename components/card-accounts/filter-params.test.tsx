import { expect, test } from 'vitest'
import { groupsWithin } from '#lib/api/card-accounts.ts'
import { hktZone } from '../ui/time-format.ts'
import {
  cardAccountList,
  toCardAccountSearch,
  filtersInEffect,
  findGroupKey,
  regrouped,
  tileSearch,
  withoutGroup,
} from './filter-params.ts'

const nothing = cardAccountList.load('')

test('a sort that the list does not have is left out', () => {
  expect(toCardAccountSearch({ ...nothing, sort: '-balance' }, null, hktZone)).toMatchObject({
    sort: 'balance',
    direction: 'desc',
  })
  expect(toCardAccountSearch({ ...nothing, sort: 'password' }, null, hktZone)).not.toHaveProperty('sort')
})

test('a group without its key is never requested', () => {
  const { group, ungrouped } = toCardAccountSearch({ ...nothing, group: 'Sales', ungrouped: 'yes' }, null, hktZone)
  expect([group, ungrouped]).toEqual([undefined, undefined])
})

test.each([
  ['?groupKey=&group=Sales', null, {}],
  ['?groupKey=region&group=Sales&ungrouped=yes', 'region', { ungrouped: 'yes' }],
  ['?within=garbage&disputeDays=abc', null, {}],
])('what narrows nothing is no filter: %s', (address, groupKey, filters) => {
  const { groupKey: _, ...search } = toCardAccountSearch(cardAccountList.load(address), groupKey, hktZone)
  expect(search).toEqual(filters)
  const inEffect = filtersInEffect(cardAccountList.load(address), groupKey)
  expect(cardAccountList.activeFilters(inEffect)).toBe(Object.keys(filters).length)
})

test('the most frequent key groups by default, and an empty choice turns grouping off', () => {
  const keys = [{ key: 'region' }, { key: 'department' }]
  expect(findGroupKey({ groupKey: null }, keys)).toBe('region')
  expect(findGroupKey({ groupKey: 'department' }, keys)).toBe('department')
  expect(findGroupKey({ groupKey: '' }, keys)).toBeNull()
  expect(findGroupKey({ groupKey: null }, [])).toBeNull()
})

test('grouping and sorting do not count as filters', () => {
  expect(cardAccountList.activeFilters(cardAccountList.load('?groupKey=region&sort=name'))).toBe(0)
  expect(cardAccountList.activeFilters({ ...nothing, ungrouped: 'yes' })).toBe(1)
})

test('grouping by another key keeps the chosen group as a filter of its own, in the list and in its tiles', () => {
  const chosen = { ...nothing, groupKey: 'region', group: 'Kowloon' }
  const regroupedParams = { ...chosen, ...regrouped(chosen, 'region', 'department') }
  const search = toCardAccountSearch(regroupedParams, 'department', hktZone)
  expect(search).toEqual({ groupKey: 'department', within: 'region=Kowloon' })
  expect(tileSearch({ ...search, group: 'Sales', sort: 'balance' })).toEqual(search)
  expect(groupsWithin(regroupedParams)).toEqual([['region', 'Kowloon']])
  expect(regrouped(regroupedParams, 'department', 'region')).toEqual({
    groupKey: 'region',
    group: 'Kowloon',
    ungrouped: null,
    within: null,
  })
  const without = regrouped({ ...nothing, groupKey: 'a&b', ungrouped: 'yes' }, 'a&b', '')
  expect(groupsWithin(without)).toEqual([['a&b', '']])
  expect(withoutGroup(without, 'a&b')).toEqual({ within: null })
})
