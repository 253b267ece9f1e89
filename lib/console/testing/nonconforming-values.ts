import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import { responseFields } from '#lib/contract/response-fields.ts'
import { locationsAt, removeAt, setAt, type Location } from '#lib/service/faults/json-path.ts'
import type { Allowance } from './read-problems.ts'

/** One field of one record of a response with another value than the contract has. */
export type NonconformingCase = {
  name: EndpointName
  path: string
  title: string
  change: (body: unknown) => void
} & Allowance

type NonconformingValue = { title: string; change: (location: Location) => void }

const put = (title: string, value: (usual: unknown) => unknown): NonconformingValue => ({
  title,
  change: (location) => setAt(location, value(location.value)),
})

const anyValue: readonly NonconformingValue[] = [
  { title: 'missing', change: removeAt },
  put('null', () => null),
  put('an object', () => ({ value: 7 })),
  put('a list', () => [7]),
  put('true', () => true),
]
const numbers = [
  put('text', () => 'not a number'),
  put('decimal text', (usual) => `${Math.trunc(Number(usual) || 400)}.40000000000003`),
  put('its digits as text', (usual) => String(usual ?? 17)),
  put('a huge number', () => 1e21),
  put('empty text', () => ''),
]
const texts = [put('a number', () => 17), put('an unknown code', () => 'SOMETHING_NEW'), put('empty text', () => '')]
const ids = [
  put('in upper case', (usual) => String(usual).toUpperCase()),
  put('no UUID', (usual) => `id_17/${String(usual).slice(0, 8)}?x=1`),
]
const times = [
  put('epoch seconds', (usual) => Math.floor(Date.parse(String(usual)) / 1000)),
  put('epoch milliseconds', (usual) => Date.parse(String(usual))),
  put('0', () => 0),
  put('the text 0', () => '0'),
]
const lists = [put('text', () => 'not a list'), put('a list of null', () => [null]), put('an empty list', () => [])]
const tokens = [put('empty text', () => ''), put('the same token on every page', () => 'the-same-token')]

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/i
const time = /^\d{4}-\d\d-\d\dT/

function valuesFor(key: string, given: unknown): readonly NonconformingValue[] {
  const value = given ?? null
  if (key === 'nextPageToken') return tokens
  if (Array.isArray(value)) return lists
  if (typeof value === 'number') return numbers
  if (typeof value === 'boolean') return [put('text', () => 'yes')]
  if (typeof value !== 'string')
    return value === null ? [...texts, ...numbers.slice(1)] : [put('text', () => 'no object')]
  return [...texts, ...(uuid.test(value) ? ids : []), ...(time.test(value) ? times : [])]
}

/** Every field of an endpoint's response with every value that is not of the contract. `bodies` are usual responses. */
export function nonconformingCases(name: EndpointName, bodies: readonly unknown[]): NonconformingCase[] {
  return responseFields(endpointRow(name)).flatMap(({ path }) => {
    const usual = usualLocation(bodies, path)
    if (!usual) return []
    return [...anyValue, ...valuesFor(String(usual.key), usual.value)].map((nonconforming) => ({
      name,
      path,
      title: `${name} ${path}: ${nonconforming.title}`,
      ...allowanceOf(path, usual, nonconforming),
      change: (body: unknown) => {
        const locations = locationsAt(body, path)
        const location = locations.find(({ value }) => isSame(value, usual.value)) ?? locations[0]
        if (location) nonconforming.change(location)
      },
    }))
  })
}

/**
 * A response without its list or its records, or with a page token that is no text, may be refused; a record without an id may be left out, and so may one that
 * names another account than the requested one.
 */
function allowanceOf(
  path: string,
  { holder: record, key, value }: Location,
  replacementValue: NonconformingValue,
): Allowance {
  const isRecord = typeof value === 'object' && value !== null
  const isOuter = isRecord && /^[^.]*$/.test(path)
  const isItem = isOuter && typeof key === 'number'
  const namesAccount = /^[^.]*\[\*\]\.cardAccountId$/.test(path)
  const lostRecord = isItem ? value : namesAccount ? record : null
  const lostId = lostRecord ? (lostRecord as { id?: unknown }).id : /^[^.]*\[\*\]\.id$/.test(path) ? value : null
  const isPageLost = path === 'nextPageToken' && ['an object', 'a list', 'true'].includes(replacementValue.title)
  const holder = { field: value }
  if (replacementValue.title !== 'missing') replacementValue.change({ holder, key: 'field', value })
  const isReplaced =
    typeof value === 'string' && uuid.test(value) && typeof holder.field === 'string' && holder.field !== ''
  const replacement = isReplaced ? String(holder.field).toLowerCase() : null
  return {
    mayThrow: isOuter || lostId !== null || path === 'baseCurrency' || isPageLost,
    // A list that is empty or shorter is one of fewer records, whose sums and counts may be 0.
    lost:
      isPageLost || (isOuter && (!isItem || replacementValue.title === 'missing'))
        ? 'all'
        : typeof lostId === 'string'
          ? [lostId]
          : [],
    restore: (text) =>
      path === 'nextPageToken'
        ? text.replace(/,"pageToken":"[^"]*"|"pageToken":"[^"]*",?/, '')
        : replacement === null
          ? text
          : text.replaceAll(replacement, String(value)),
  }
}

/** The first location of a field that has a value; where none has, the first at all. */
function usualLocation(bodies: readonly unknown[], path: string): Location | undefined {
  const locations = bodies.flatMap((body) => locationsAt(body, path))
  return locations.find(({ value }) => value !== null && value !== undefined) ?? locations[0]
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
