import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { Change } from '#lib/live/types.ts'
import { createQueryClient, isBelow, readQuery, staleKeys } from './reads.ts'

const card: Change = { type: 'card', id: 'c', cardAccountId: 'a' }

function isStale(about: Change[], key: readonly unknown[]): boolean {
  return staleKeys('sandbox', about).some((stale) => isBelow(stale, key))
}

test('a card makes its page, its account, every list and the overview stale, and no other card', () => {
  expect(isStale([card], readQuery('readCard', 'sandbox', 'a', 'c').queryKey)).toBe(true)
  expect(isStale([card], readQuery('readCardAccount', 'sandbox', 'a').queryKey)).toBe(true)
  expect(isStale([card], readQuery('listCardAccounts', 'sandbox', { q: 'x' }).queryKey)).toBe(true)
  expect(isStale([card], readQuery('readOverview', 'sandbox').queryKey)).toBe(true)
  expect(isStale([card], readQuery('readCard', 'sandbox', 'a', 'other').queryKey)).toBe(false)
  expect(isStale([card], readQuery('readCardAccount', 'sandbox', 'other').queryKey)).toBe(false)
})

test('a page whose address writes the ids in capitals is stale, too', () => {
  expect(isStale([card], readQuery('readCard', 'sandbox', 'A', 'C').queryKey)).toBe(true)
})

test('an account makes the pages of all its cards stale; another environment stays as it is', () => {
  expect(isStale([{ type: 'cardaccount', id: 'a' }], readQuery('readCard', 'sandbox', 'a', 'c').queryKey)).toBe(true)
  expect(isStale([{ type: 'cardaccount', id: 'a' }], readQuery('readCard', 'production', 'a', 'c').queryKey)).toBe(
    false,
  )
})

test('the same change a hundred times makes each read stale once; an unknown type makes none', () => {
  expect(
    staleKeys(
      'sandbox',
      Array.from({ length: 100 }, () => card),
    ),
  ).toHaveLength(staleKeys('sandbox', [card]).length)
  expect(staleKeys('sandbox', [{ type: 'constructor' } as unknown as Change])).toEqual([])
})

test('the lines of a job whose limits are set back are read anew each time their page opens', async () => {
  const client = createQueryClient()
  const { queryKey, gcTime } = readQuery('readLimitDraft', 'sandbox', { undo: 'job' })
  const queryFn = vi.fn(async () => ({ text: 'lines', job: null }))
  const open = () => new QueryObserver(client, { queryKey, gcTime, staleTime: Infinity, queryFn })
  const close = open().subscribe(() => undefined)
  await vi.waitFor(() => expect(client.getQueryData(queryKey)).toBeDefined())
  close()
  await vi.waitFor(() => expect(client.getQueryData(queryKey)).toBeUndefined())
  open().subscribe(() => undefined)()
  expect(queryFn).toHaveBeenCalledTimes(2)
})
