import { isFields } from '#lib/shared/json.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import type { FieldIssue } from '../field-issues.ts'

const maximumDepth = 64
const issuesAtMost = 1000
const longestName = 200
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * A JSON value that can be parsed and judged, with what PostgreSQL cannot keep and no honest caller sends named beside it.
 * What is too deep or out of range is null in it.
 */
export type Json = { value: unknown; issues: FieldIssue[] }

/** The JSON value of a body. Fails for what is no JSON in UTF-8. */
export function parseJson(body: Uint8Array | null): Result<Json, string> {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(body ?? new Uint8Array()))
  } catch {
    return fail('body: must be JSON in UTF-8')
  }
  const root: Record<string, unknown> = { body: value }
  const issues = findIssues({ holder: root, key: 'body', name: '', depth: 1 })
  return ok({ value: root.body, issues })
}

type Holder = Record<string, unknown>
type Place = { holder: Holder; key: string; name: string; depth: number }

/** Goes through the text in order and without recursion, so that no nesting exhausts the stack. */
function findIssues(root: Place): FieldIssue[] {
  const issues: FieldIssue[] = []
  const places = [root]
  for (let place = places.pop(); place; place = places.pop()) {
    const { holder, key, name } = place
    const value = holder[key]
    for (const message of issuesOf(value, place)) {
      if (issues.length < issuesAtMost) issues.push({ path: shortened(name) || 'body', message })
    }
    if (isTooDeep(place) || isOutOfRange(value)) holder[key] = null
    else if (typeof value === 'object' && value !== null) {
      // Own fields of this name have no use, and are a trap.
      Reflect.deleteProperty(value, '__proto__')
      for (const within of Object.keys(value).toReversed()) places.push(placeWithin(value, within, place))
    }
  }
  return issues
}

function issuesOf(value: unknown, place: Place): string[] {
  if (isTooDeep(place)) return [`must not be nested deeper than ${maximumDepth} levels`]
  if (isOutOfRange(value)) return ['must be a number that is not out of range']
  if (typeof value === 'string') return [issueOfText(value) ?? []].flat()
  return isFields(value) ? issuesOfKeys(value) : []
}

function isTooDeep({ depth }: Place): boolean {
  return depth > maximumDepth
}

function isOutOfRange(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value)
}

function issuesOfKeys(value: object): string[] {
  return Object.keys(value).flatMap((key) => {
    if (key === '__proto__') return ['must not have a field named __proto__']
    const issue = issueOfText(key)
    return issue ? [`must not have a field whose name ${issue}`] : []
  })
}

function placeWithin(holder: object, key: string, { name, depth }: Place): Place {
  const shown = issueOfText(key) === null ? key : key.toWellFormed().replaceAll('\0', '\uFFFD')
  return { holder: holder as Holder, key, name: name ? `${name}.${shown}` : shown, depth: depth + 1 }
}

function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair. */
export function issueOfText(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the character NUL'
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair'
}
