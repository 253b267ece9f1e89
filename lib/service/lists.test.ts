import { randomBytes, randomUUID } from 'node:crypto'
import { asc, eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#lib/db/connection.ts'
import { openTestDatabase } from '#lib/db/testing.ts'
import { ApiError } from './api-error.ts'
import { defineList } from './lists.ts'
import { events } from './tables/webhooks.ts'

// The table of events is an example of any list: an instant, an id, and a filter.
let db: Database
let close: () => Promise<void>
const pageTokenKey = randomBytes(32)
const start = Date.UTC(2026, 0, 1)

beforeAll(async () => {
  const opened = await openTestDatabase()
  db = opened.db
  close = opened.close
  // Three rows share each instant, so that the id has to decide.
  await add(Array.from({ length: 60 }, (_, place) => ({ at: start + Math.floor(place / 3) * 1000, event: 'even' })))
  await add([{ at: start, event: 'other' }])
})
afterAll(() => close())

async function add(rows: { at: number; event: string }[]): Promise<void> {
  await db
    .insert(events)
    .values(rows.map(({ at, event }) => ({ id: randomUUID(), event, data: {}, time: new Date(at) })))
}

function list(
  query: { event: string | string[]; pageSize?: number; pageToken?: string },
  options: { list?: string; key?: Buffer } = {},
) {
  const { read } = defineList<{ event: string[]; pageSize?: number; pageToken?: string }, typeof events.$inferSelect>({
    name: options.list ?? 'events',
    select: (queried) => queried.select().from(events),
    createdAt: events.time,
    id: events.id,
    position: (row) => ({ createdAt: row.time, id: row.id }),
    filters: { event: (value) => sql`${events.event} = any(${value})` },
  })
  return read({ db, pageTokenKey: options.key ?? pageTokenKey }, { ...query, event: [query.event].flat() })
}

async function inOrder(event: string): Promise<string[]> {
  const rows = await db.select().from(events).where(eq(events.event, event)).orderBy(asc(events.time), asc(events.id))
  return rows.map((row) => row.id).reverse()
}

async function errorOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

test('pages forth and back meet every row once, newest first, in any page size', async () => {
  const expected = await inOrder('even')
  for (const pageSize of [1, 7, 20, 60, 100]) {
    const forth: string[] = []
    let page = await list({ event: 'even', pageSize })
    expect(page.prevPageToken).toBeNull()
    forth.push(...page.rows.map((row) => row.id))
    while (page.nextPageToken) {
      page = await list({ event: 'even', pageSize, pageToken: page.nextPageToken })
      expect(page.prevPageToken).not.toBeNull()
      forth.push(...page.rows.map((row) => row.id))
    }
    expect(forth).toEqual(expected)

    const back = page.rows.map((row) => row.id).reverse()
    while (page.prevPageToken) {
      page = await list({ event: 'even', pageSize, pageToken: page.prevPageToken })
      expect(page.nextPageToken).not.toBeNull()
      back.push(...page.rows.map((row) => row.id).reverse())
    }
    expect(back.reverse()).toEqual(expected)
  }
})

test('the way back from a page whose rows are gone meets every row that is left, in either direction', async () => {
  await add([1, 2, 3, 4, 5, 6].map((second) => ({ at: start + second * 1000, event: 'shrinking' })))
  const ids = await inOrder('shrinking')
  const page = (pageToken?: string | null) =>
    list({ event: 'shrinking', pageSize: 2, ...(pageToken ? { pageToken } : {}) })
  const idsOf = ({ rows }: Awaited<ReturnType<typeof page>>) => rows.map(({ id }) => id)
  const remove = (from: number, to: number) => db.delete(events).where(inArray(events.id, ids.slice(from, to)))
  const second = await page((await page()).nextPageToken)
  await remove(4, 6)
  const gone = await page(second.nextPageToken)
  expect(idsOf(gone)).toEqual([])
  expect(idsOf(await page(gone.prevPageToken))).toEqual(ids.slice(2, 4))
  await remove(0, 2)
  const goneBefore = await page(second.prevPageToken)
  expect(idsOf(goneBefore)).toEqual([])
  expect(idsOf(await page(goneBefore.nextPageToken))).toEqual(ids.slice(2, 4))
})

test('a page stays the same while newer rows are added', async () => {
  const first = await list({ event: 'growing', pageSize: 2 })
  expect(first).toEqual({ rows: [], prevPageToken: null, nextPageToken: null })

  await add([1, 2, 3, 4, 5].map((second) => ({ at: start + second * 1000, event: 'growing' })))
  const one = await list({ event: 'growing', pageSize: 2 })
  const two = await list({ event: 'growing', pageSize: 2, pageToken: one.nextPageToken ?? '' })
  await add([6, 7].map((second) => ({ at: start + second * 1000, event: 'growing' })))

  expect(await list({ event: 'growing', pageSize: 2, pageToken: one.nextPageToken ?? '' })).toEqual(two)
  const before = await list({ event: 'growing', pageSize: 2, pageToken: two.prevPageToken ?? '' })
  expect(before.rows).toEqual(one.rows)
  expect(before.prevPageToken).not.toBeNull()
})

test('takes a token of a filter with several values, in whichever order they come', async () => {
  const { nextPageToken } = await list({ event: ['even', 'other'], pageSize: 5 })
  const next = await list({ event: ['other', 'even'], pageSize: 5, pageToken: nextPageToken ?? '' })
  expect(next.rows).toHaveLength(5)
})

test('refuses a token that was altered, was made for another list, filter or key, or is none', async () => {
  const { nextPageToken } = await list({ event: 'even', pageSize: 5 })
  const token = nextPageToken ?? ''
  const altered = Array.from(
    token,
    (character, at) => `${token.slice(0, at)}${character === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`,
  )
  const attempts = [
    ...altered.map((pageToken) => list({ event: 'even', pageToken })),
    list({ event: 'other', pageToken: token }),
    list({ event: 'even', pageToken: token }, { list: 'others' }),
    list({ event: 'even', pageToken: token }, { key: randomBytes(32) }),
    list({ event: 'even', pageToken: 'nonsense' }),
    list({ event: 'even', pageToken: `${token}A` }),
    list({ event: 'even', pageToken: `${token}=` }),
  ]
  for (const attempt of attempts) {
    const { code, message } = await errorOf(attempt)
    expect(code).toBe('INVALID_PARAMETERS')
    expect(message).toContain('pageToken')
  }
  expect((await list({ event: 'even', pageSize: 50, pageToken: token })).rows).toHaveLength(50)
})
