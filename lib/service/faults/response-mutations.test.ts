import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointNames, endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { isResponseField, responseFields } from '#lib/contract/response-fields.ts'
import { shapeOptions } from '#lib/contract/sandbox.ts'
import { examples } from '../testing-examples.ts'
import { openTestService, type TestService } from '../testing.ts'
import { isJsonPath, locationsAt } from './json-path.ts'
import { mutateResponse, mutationKinds, ResponseMutation } from './response-mutations.ts'

let opened: TestService
beforeAll(async () => {
  opened = await openTestService({ seeded: 12 })
})
afterAll(() => opened.close())

test('the contract names the options of every kind', () => {
  const options = Object.entries(mutationKinds).map(([kind, row]) => [kind, Object.keys(row.options).toSorted()])
  const named = Object.entries(shapeOptions).map(([kind, names]) => [kind, names.toSorted()])
  expect(named).toEqual(options)
})

/** What each kind leaves in place of a value; undefined where the name is gone. */
const changed: Record<string, (value: unknown) => unknown> = {
  drop: () => undefined,
  null: () => null,
  value: () => ({ unexpected: [true] }),
  string: (value) => (value === null || typeof value === 'string' ? value : JSON.stringify(value)),
  number: (value) => (Number.isFinite(Number(value)) ? Number(value) : 0),
  rename: () => undefined,
  'unknown-enum': () => 'SOMETHING_NEW',
  'upper-case': (value) => (typeof value === 'string' ? value.toUpperCase() : value),
}

function shapeOf(kind: string, at: string): ResponseMutation {
  return ResponseMutation.parse({ kind, at, ...(kind === 'value' && { value: { unexpected: [true] } }) })
}

describe.each(endpointNames)('%s', (name: EndpointName) => {
  test('every kind changes every field of the contract, and nothing beside it', async () => {
    const response = await opened.call(name, await examples[name](opened))
    expect(response.status, response.text).toBe(200)
    const fields = responseFields(endpointRow(name))
    for (const { path } of fields) {
      for (const [kind, change] of Object.entries(changed)) {
        const locations = locationsAt(response.json, path).filter(({ value }) => value !== undefined)
        const body = mutateResponse(shapeOf(kind, path), { status: 200, body: response.text }).body
        if (
          locations.length === 0 &&
          kind !== 'value' &&
          kind !== 'unknown-enum' &&
          kind !== 'null' &&
          kind !== 'number'
        ) {
          expect(body, `${kind} at ${path}`).toBe(response.text)
        }
        if (path.endsWith(']') || locations.length === 0) continue
        const after = locationsAt(JSON.parse(body), path)
        expect(
          after.map(({ value }) => value),
          `${kind} at ${path}`,
        ).toEqual(locations.map(({ value }) => change(value)))
        const restored = JSON.parse(body)
        locationsAt(restored, path).forEach(({ holder, key }, at) => {
          const object = holder as Record<string, unknown>
          if (kind === 'rename') delete object[`${key}Renamed`]
          object[key] = locations[at]?.value
        })
        expect(restored).toEqual(response.json)
      }
    }
  })
})

test('fields of the contract are found in records, lists, unions, and below what is open', () => {
  const row = endpointRow('setFixedLimit')
  expect(responseFields(row).map(({ path }) => path)).toEqual(expect.arrayContaining(['success', '[*].success']))
  expect(isResponseField(row, '[3].error')).toBe(true)
  const transactions = endpointRow('listCardAccountTransactions')
  for (const path of ['transactions', 'transactions[*]', 'transactions[0].merchant.mcc', 'nextPageToken'])
    expect(isResponseField(transactions, path), path).toBe(true)
  expect(isResponseField(transactions, 'transactions[*].xmetadata.department')).toBe(true)
  expect(isResponseField(endpointRow('getRates'), 'rates.HKD')).toBe(true)
  for (const path of ['transaction', 'transactions[*].balance', 'transactions.amount', 'nextPageToken.x'])
    expect(isResponseField(transactions, path), path).toBe(false)
})

test.each(['a', 'a.b', 'a[*].b', '[0]', '[*].x[2][*]', 'a-b.c d'])('%s is a JSON path', (path) => {
  expect(isJsonPath(path)).toBe(true)
})

test.each(['', '.', 'a.', '.a', 'a[]', 'a[-1]', 'a[x]', 'a]b', '$.a[', 'a..b', '[*]a'])(
  '%s is no JSON path',
  (path) => {
    expect(isJsonPath(path)).toBe(false)
  },
)

test('items of an array are dropped where the path names them', () => {
  const drop = (at: string) =>
    JSON.parse(mutateResponse(shapeOf('drop', at), { status: 200, body: '{"a":[1,2,3],"b":1}' }).body)
  expect(drop('a[1]')).toEqual({ a: [1, 3], b: 1 })
  expect(drop('a[*]')).toEqual({ a: [], b: 1 })
  expect(drop('a[7]')).toEqual({ a: [1, 2, 3], b: 1 })
})

test('a path never reaches what an object inherits', () => {
  const body = '{"a":{}}'
  for (const path of ['__proto__.polluted', 'a.__proto__.polluted', 'constructor.prototype.polluted'])
    mutateResponse(ResponseMutation.parse({ kind: 'value', at: path, value: true }), { status: 200, body })
  expect({}).not.toHaveProperty('polluted')
})

const page = { status: 200, body: '{"fees":[{"id":"x","createdAt":"2026-11-21T00:00:00.500Z"}],"nextPageToken":"t"}' }

test.each([
  [{ kind: 'list-key' }, { data: [{}] }],
  [{ kind: 'list-key', to: 'items' }, { items: [{}] }],
  [{ kind: 'empty-token' }, { nextPageToken: '' }],
  [{ kind: 'huge-token' }, { nextPageToken: 'A'.repeat(8192) }],
  [
    { kind: 'huge-token', length: 3, at: 'prevPageToken' },
    { prevPageToken: 'AAA', nextPageToken: 't' },
  ],
  [{ kind: 'repeat-token' }, { nextPageToken: 'the-same-page-again' }],
  [{ kind: 'epoch', at: 'fees[*].createdAt' }, { fees: [{ createdAt: 1795219200500 }] }],
  [{ kind: 'epoch', at: 'fees[0].createdAt', unit: 's' }, { fees: [{ createdAt: 1795219200 }] }],
  [{ kind: 'rename', at: 'fees[*].id', to: 'feeId' }, { fees: [{ feeId: 'x' }] }],
  [{ kind: 'unknown-enum', at: 'fees[*].id', value: 'frozen' }, { fees: [{ id: 'frozen' }] }],
])('%j', (shape, expected) => {
  const { body } = mutateResponse(ResponseMutation.parse(shape), page)
  expect(JSON.parse(body)).toMatchObject(expected)
})

test('a refused request is never reshaped', () => {
  const refused = { status: 400, body: '{"code":"INVALID_PARAMETERS","message":"x"}' }
  for (const kind of Object.keys(mutationKinds))
    expect(mutateResponse({ kind, at: 'code', to: 'x', value: 1 }, refused)).toBe(refused)
})
