import { isFields } from '#lib/shared/json.ts'
import { amount } from '#lib/shared/money.ts'
import { lookUpPath } from './expressions.ts'

/** A difference between a found and an expected value. Both are short texts for people, JSON where they are values. */
export type Difference = { path: string; expected: string; found: string }

type Fields = Record<string, unknown>
type Matcher = (found: unknown, expected: unknown, path: string) => Difference[]

/** The JSON text of a value, shortened. `undefined` is nothing. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

const matchers: Readonly<Record<string, Matcher>> = {
  $present: (found, expected, path) =>
    differenceUnless(
      (found !== undefined && found !== null) === (expected !== false),
      path,
      expected === false ? 'no value' : 'a value',
      found,
    ),
  $absent: (found, expected, path) =>
    differenceUnless(
      (found === undefined) === (expected !== false),
      path,
      expected === false ? 'the field' : 'no such field',
      found,
    ),
  $oneOf: (found, expected, path) =>
    differenceUnless(
      asList(expected).some((one) => compare(found, one, path).length === 0),
      path,
      `one of ${shown(expected)}`,
      found,
    ),
  $not: (found, expected, path) =>
    differenceUnless(compare(found, expected, path).length > 0, path, `anything but ${shown(expected)}`, found),
  $like: (found, expected, path) =>
    differenceUnless(
      typeof found === 'string' && isLike(found, String(expected)),
      path,
      `text like ${shown(expected)}`,
      found,
    ),
  $atLeast: (found, expected, path) =>
    differenceUnless((compareNumbers(found, expected) ?? -1) >= 0, path, `at least ${shown(expected)}`, found),
  $atMost: (found, expected, path) =>
    differenceUnless((compareNumbers(found, expected) ?? 1) <= 0, path, `at most ${shown(expected)}`, found),
  $length: (found, expected, path) => {
    const length = Array.isArray(found) || typeof found === 'string' ? found.length : undefined
    return compare(length, expected, `${path} length`)
  },
  $contains: (found, expected, path) => {
    if (typeof found === 'string') {
      return differenceUnless(found.includes(String(expected)), path, `text with ${shown(expected)}`, found)
    }
    const isIn = Array.isArray(found) && found.some((item) => compare(item, expected, path).length === 0)
    return differenceUnless(isIn, path, `an item like ${shown(expected)}`, found)
  },
}
export const matcherNames = Object.keys(matchers)

/**
 * Returns the differences between a value and its expectation. A map expects at least its fields, a list exactly its
 * items in their order, numbers are compared as decimals; a map of matchers (`$oneOf` …) expects all of them.
 */
function compare(found: unknown, expected: unknown, path: string): Difference[] {
  if (isFields(expected)) {
    const names = Object.keys(expected)
    if (names.length > 0 && names.every((name) => matcherNames.includes(name))) {
      return names.flatMap((name) => matchers[name]?.(found, expected[name], path) ?? [])
    }
    if (!isFields(found)) return [{ path, expected: shown(expected), found: shown(found) }]
    return names.flatMap((name) => compare(found[name], expected[name], pathBelow(path, name)))
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) {
      return [{ path, expected: shown(expected), found: shown(found) }]
    }
    return expected.flatMap((item, index) => compare(found[index], item, `${path}[${index}]`))
  }
  const isSame =
    typeof expected === 'number' && typeof found === 'number'
      ? compareNumbers(found, expected) === 0
      : found === expected
  return differenceUnless(isSame, path, shown(expected), found)
}

/** Returns the differences between a step's result and its expectations, each with its path in the result. */
export function compareAll(result: Fields, expectations: Fields): Difference[] {
  return Object.entries(expectations).flatMap(([path, expected]) => compare(lookUpPath(result, path), expected, path))
}

function differenceUnless(isMet: boolean, path: string, expected: string, found: unknown): Difference[] {
  return isMet ? [] : [{ path, expected, found: shown(found) }]
}

function pathBelow(path: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `${path}.${name}` : `${path}['${name}']`
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** Negative, 0 or positive; null where one of them is no number. */
function compareNumbers(found: unknown, expected: unknown): number | null {
  if (typeof found !== 'number' || typeof expected !== 'number') return null
  return amount(found).comparedTo(expected)
}

/** `*` matches any text. Linear in the length of the text: a scenario cannot stall the runner. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return text === pattern
  const last = rest.pop() ?? ''
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const index = text.indexOf(part, at)
    if (index < 0 || index + part.length > text.length - last.length) return false
    at = index + part.length
  }
  return true
}
