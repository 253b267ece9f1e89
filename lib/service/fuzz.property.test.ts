import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointNames, endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { isErrorCode } from '#lib/contract/errors.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { examples } from './testing-examples.ts'
import { openTestService, type TestResponse, type TestService } from './testing.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ seeded: 20 })
})
afterAll(() => opened.close())

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Values that have broken services before: huge, tiny, odd Unicode, markup, SQL, other types, deep nesting. */
const hostile: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(
    null,
    '',
    ' ',
    0,
    -1,
    1e-7,
    1.005,
    1e13,
    1e308,
    Number('9007199254740993'),
    'NaN',
    '1e5',
    "'; drop table service.cards; --",
    '<script>alert(1)</script>',
    '${7*7}{{7*7}}',
    '\u202e\u200b\ufeff',
    '𠮷😀'.repeat(50),
    '%00%0a../../etc/passwd',
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    'constructor',
    'x'.repeat(5000),
    [],
    [[]],
    {},
    { toString: 1, constructor: { prototype: [] } },
  ),
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as Json),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
)

type Change = { place: number; how: 'replace' | 'remove' | 'wrap' | 'add'; value: Json }

const changes = fc.array(
  fc.record({
    place: fc.nat(),
    how: fc.constantFrom('replace', 'remove', 'wrap', 'add') satisfies fc.Arbitrary<Change['how']>,
    value: hostile,
  }),
  { minLength: 1, maxLength: 3 },
)

/** Every place of a body: the object or array that holds it, and its key there. */
function placesOf(value: Json, into: { holder: Record<string, Json>; key: string }[] = []) {
  if (typeof value !== 'object' || value === null) return into
  for (const [key, item] of Object.entries(value)) {
    into.push({ holder: value as Record<string, Json>, key })
    placesOf(item, into)
  }
  return into
}

function changed(body: Json, changes: readonly Change[]): Json {
  const root: Record<string, Json> = { body: structuredClone(body) }
  for (const { place, how, value: given } of changes) {
    // The generator gives the same objects again: what is changed here must not be one of them.
    const value = structuredClone(given)
    const places = placesOf(root)
    const { holder, key } = places[place % places.length] ?? { holder: root, key: 'body' }
    const before = holder[key] ?? null
    if (how === 'replace') holder[key] = value
    else if (how === 'wrap') holder[key] = [before]
    else if (how === 'add') holder[`${key} more`] = value
    else if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  }
  return root.body ?? null
}

/** Cancelling a card of another account is the one well-formed request that the interface says fails with 500. */
function mayFail(name: EndpointName, body: Json): boolean {
  return name === 'cancelCard' && endpointRow(name).body?.safeParse(body).success === true
}

function expectDecided(name: EndpointName, body: Json, response: TestResponse): void {
  const row = endpointRow(name)
  if (response.status === 200) {
    expect(row.response.parse(response.json)).toEqual(response.json)
    return
  }
  if (response.status === 500 && mayFail(name, body)) {
    expect(Object.keys(response.json)).toEqual(['statusCode', 'message'])
    return
  }
  expect([400, 404, 409], `${response.status} ${response.text}`).toContain(response.status)
  expect(isErrorCode(response.json.code), response.text).toBe(true)
  expect(response.text).not.toMatch(/node_modules|\.ts:\d|select |insert into|duplicate key|violates/i)
}

const posts = endpointNames.filter((name) => endpointRow(name).method === 'POST')

describe('hostile bodies each get the contract’s response or its error, never a 500', () => {
  test.each(posts)('%s', async (name) => {
    const example = await examples[name](opened)
    await fc.assert(
      fc.asyncProperty(changes, async (made) => {
        const body = changed((example.body ?? {}) as Json, made)
        expectDecided(name, body, await opened.call(name, { ...example, body }))
      }),
      { numRuns: cases(300) },
    )
  })
})

const gets = endpointNames.filter((name) => endpointRow(name).method === 'GET' && endpointRow(name).query)

describe('hostile queries each get the contract’s response or its error, never a 500', () => {
  test.each(gets)('%s', async (name) => {
    const example = await examples[name](opened)
    const names = Object.keys(endpointRow(name).query?.shape ?? {})
    const value = fc.oneof(
      hostile.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))),
      fc.constantFrom('0', '-1', '1e3', '999999999999999999999', '2026-02-30T00:00:00Z', '+275760-09-13T00:00:00Z'),
    )
    const query = fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 3 })
    await fc.assert(
      fc.asyncProperty(query, async (more) => {
        const response = await opened.call(name, { ...example, query: { ...example.query, ...more } })
        expectDecided(name, null, response)
      }),
      { numRuns: cases(100) },
    )
  })
})
