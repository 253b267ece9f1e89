import { expect, test } from 'vitest'
import type { Change } from '#lib/console/desk/live/change.ts'
import { cardAccountListQuery, cardAccountQuery } from './card-accounts.ts'
import { cardQuery } from './cards.ts'
import { staleKeys } from './live.ts'
import { overviewQuery } from './overview.ts'

const card: Change = { type: 'card', id: 'c', cardAccountId: 'a' }

function isStale(about: Change[], key: readonly unknown[]): boolean {
  return staleKeys('sandbox', about).some((stale) =>
    stale.every((part, index) => JSON.stringify(part) === JSON.stringify(key[index])),
  )
}

test('a card makes its page, its account, every list and the overview stale, and no other card', () => {
  expect(isStale([card], cardQuery('sandbox', 'a', 'c').queryKey)).toBe(true)
  expect(isStale([card], cardAccountQuery('sandbox', 'a').queryKey)).toBe(true)
  expect(isStale([card], cardAccountListQuery('sandbox', { q: 'x' }).queryKey)).toBe(true)
  expect(isStale([card], overviewQuery('sandbox').queryKey)).toBe(true)
  expect(isStale([card], cardQuery('sandbox', 'a', 'other').queryKey)).toBe(false)
  expect(isStale([card], cardAccountQuery('sandbox', 'other').queryKey)).toBe(false)
})

test('an account makes the pages of all its cards stale; another environment stays as it is', () => {
  expect(isStale([{ type: 'cardaccount', id: 'a' }], cardQuery('sandbox', 'a', 'c').queryKey)).toBe(true)
  expect(isStale([{ type: 'cardaccount', id: 'a' }], cardQuery('production', 'a', 'c').queryKey)).toBe(false)
})

test('the same change a hundred times makes each read stale once; a type that nobody knows makes none', () => {
  expect(
    staleKeys(
      'sandbox',
      Array.from({ length: 100 }, () => card),
    ),
  ).toHaveLength(staleKeys('sandbox', [card]).length)
  expect(staleKeys('sandbox', [{ type: 'constructor' } as unknown as Change])).toEqual([])
})
