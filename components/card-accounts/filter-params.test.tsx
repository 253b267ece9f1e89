import { expect, test } from 'vitest'
import { accountTypes as contractTypes } from '#lib/contract/account-terms.ts'
import { clientIdentityStatuses as contractStatuses } from '#lib/contract/client-identity.ts'
import { accountTypes, clientIdentityStatuses } from './account-labels.ts'
import { type CardAccountParams, cardAccountFilters, groupKeyOf, isNarrowed } from './filter-params.ts'

const nothing: CardAccountParams = {
  q: '',
  currency: null,
  accountType: null,
  identity: null,
  cardStatus: null,
  limit: null,
  outstanding: null,
  disputed: null,
  groupKey: null,
  group: null,
  ungrouped: null,
  sort: null,
  pageToken: null,
}

test('the words know every type and identity status of the contract', () => {
  expect(accountTypes.toSorted()).toEqual([...contractTypes].toSorted())
  expect(clientIdentityStatuses.toSorted()).toEqual([...contractStatuses].toSorted())
})

test('a sort that the list does not have is left out', () => {
  expect(cardAccountFilters({ ...nothing, sort: '-balance' }, null)).toMatchObject({
    sort: 'balance',
    direction: 'desc',
  })
  expect(cardAccountFilters({ ...nothing, sort: 'password' }, null)).not.toHaveProperty('sort')
})

test('a group without its key is never asked for', () => {
  const { group, ungrouped } = cardAccountFilters({ ...nothing, group: 'Sales', ungrouped: 'yes' }, null)
  expect([group, ungrouped]).toEqual([undefined, undefined])
})

test('without a choice the most frequent key groups, and an empty choice groups by nothing', () => {
  const keys = [{ key: 'region' }, { key: 'department' }]
  expect(groupKeyOf({ groupKey: null }, keys)).toBe('region')
  expect(groupKeyOf({ groupKey: 'department' }, keys)).toBe('department')
  expect(groupKeyOf({ groupKey: '' }, keys)).toBeNull()
  expect(groupKeyOf({ groupKey: null }, [])).toBeNull()
})

test('grouping and sorting narrow nothing, a filter does', () => {
  expect(isNarrowed({ ...nothing, groupKey: 'region', sort: 'name' })).toBe(false)
  expect(isNarrowed({ ...nothing, ungrouped: 'yes' })).toBe(true)
})
