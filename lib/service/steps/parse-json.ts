import { Decimal } from 'decimal.js'
import { isFields } from '#lib/shared/json.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { storableText } from '#lib/shared/texts.ts'
import { ApiError, errorOfIssues, type FieldIssue } from '../api-error.ts'

const maximumDepth = 64
const issuesAtMost = 1000
const longestName = 200
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * A parsed JSON value, with the issues of values that cannot be stored as they were sent. A value that is too deep, out of
 * range or rounded is null.
 */
export type Json = { value: unknown; issues: FieldIssue[] }

/** The JSON value of a body. Fails for what is no JSON in UTF-8. */
export function parseStrictJson(body: Uint8Array | null): Result<Json, string> {
  let value: unknown
  try {
    const text = utf8.decode(body ?? new Uint8Array())
    value = JSON.parse(text, /[\d.]{16}/.test(text) ? exactNumber : undefined)
  } catch {
    return fail('body: must be JSON in UTF-8')
  }
  const root: Record<string, unknown> = { body: value }
  const issues = findIssues({ holder: root, key: 'body', name: '', depth: 1 })
  return ok({ value: root.body, issues })
}

/**
 * The value; NaN, which no JSON holds, for a number that a double does not carry as it was written. Programs that write each
 * double with 17 digits lose none. Whether an account number may be a number is a rule of payouts (`payout-rules.ts`).
 */
function exactNumber(key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isFinite(value) || key === 'accountNumber') return value
  const sent = new Decimal(context?.source ?? value)
  return sent.equals(value) || sent.equals(value.toPrecision(17)) ? value : Number.NaN
}

type Holder = Record<string, unknown>
type Location = { holder: Holder; key: string; name: string; depth: number }

/** Goes through the text in order and without recursion, so that no nesting exhausts the stack. */
function findIssues(root: Location): FieldIssue[] {
  const issues: FieldIssue[] = []
  const places = [root]
  for (let location = places.pop(); location; location = places.pop()) {
    const { holder, key, name } = location
    const value = holder[key]
    for (const message of checkValue(value, location)) {
      if (issues.length < issuesAtMost) issues.push({ path: shortened(name) || 'body', message })
    }
    if (isTooDeep(location) || isOutOfRange(value)) holder[key] = null
    else if (typeof value === 'object' && value !== null) {
      // Own fields of this name have no use, and are a trap.
      Reflect.deleteProperty(value, '__proto__')
      for (const within of Object.keys(value).toReversed()) places.push(locationWithin(value, within, location))
    }
  }
  return issues
}

function checkValue(value: unknown, location: Location): string[] {
  if (isTooDeep(location)) return [`must not be nested deeper than ${maximumDepth} levels`]
  if (Number.isNaN(value)) return ['must have no more digits than a double holds']
  if (isOutOfRange(value)) return ['must be a number that is not out of range']
  if (typeof value === 'string') return [issueOfText(value) ?? []].flat()
  return isFields(value) ? issuesOfKeys(value) : []
}

function isTooDeep({ depth }: Location): boolean {
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

function locationWithin(holder: object, key: string, { name, depth }: Location): Location {
  const shown = issueOfText(key) === null ? key : storableText(key)
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

/** The JSON of a POST with its issues. Throws for another content type, another charset than UTF-8, and what is no JSON. */
export function parseJsonBody(contentType: string | null, body: Uint8Array | null): Result<Json, ApiError> {
  if (!isJson(contentType)) {
    return fail(new ApiError('UNSUPPORTED_MEDIA_TYPE', 'the Content-Type must be application/json'))
  }
  const parsed = parseStrictJson(body)
  return parsed.ok ? parsed : fail(new ApiError('INVALID_PARAMETERS', parsed.error))
}

/** The JSON of a POST, for callers that check nothing beside its issues: those are thrown, too. */
export function readContent(contentType: string | null, body: Uint8Array | null): Result<unknown, ApiError> {
  const json = parseJsonBody(contentType, body)
  if (!json.ok) return json
  return json.value.issues.length > 0 ? fail(errorOfIssues(json.value.issues)) : ok(json.value.value)
}

function isJson(contentType: string | null): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='))
  return type.trim() === 'application/json' && /^(charset="?utf-?8"?)?$/.test(charset ?? '')
}
