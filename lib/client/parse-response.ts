import { z } from 'zod'
import { ResponseUuid, Timestamp, Xmetadata } from '#lib/contract/fields.ts'
import { withoutSecrets } from '#lib/contract/redact.ts'
import { holdsCardNumber, maskCardNumbers } from '#lib/shared/card-numbers.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { deepestLevels, isFields, isWithinLevels } from '#lib/shared/json.ts'
import { listCodes, isDecimal, recordName } from './contract-names.ts'
import { contractSpelling, type ResponseNames } from './service-profile.ts'

/**
 * A difference between a response and the contract. `path` names the position in the response as sent, with `[*]` for
 * the items of a list; `found` names a kind of value and never repeats one, except for a short code of an unknown
 * status.
 */
export type Difference = { path: string; expected: string; found: string }

/**
 * A response as the console's own record, with what differs. `excluded` counts records that cannot be used because they
 * have no id; `unknownFields` are paths of fields that the contract does not name. Each object has its own in `otherFields`,
 * as they were sent.
 */
export type ParsedResponse = {
  record: unknown
  excluded: number
  /** Whether a time had no zone: it was read as UTC, and may be up to 14 hours from that. */
  hasTimeWithoutZone: boolean
  differences: Difference[]
  unknownFields: string[]
}

/** A response whose outer form cannot be used: what its list, its object or the token of its next page should have been. */
type UnexpectedForm = { expected: string; found: string }

/**
 * Parses a response body tolerantly against its contract schema: a value that is absent, null or malformed becomes null,
 * an amount may be decimal text, a time may be epoch seconds or milliseconds, an id may have any form, a code in another
 * case is the known one, and an unknown code stays as sent. Returns an `UnexpectedForm` where the outer object or one of its lists is missing,
 * or the token of the next page is no text.
 */
export function parseResponse(
  schema: z.ZodType,
  body: unknown,
  names: ResponseNames,
): ParsedResponse | { unexpected: UnexpectedForm } {
  const context: Context = {
    differences: new Map(),
    unknownFields: new Set(),
    excluded: 0,
    hasTimeWithoutZone: false,
    unusableToken: null,
  }
  const outer = outerForm(schema, body, names)
  if ('unexpected' in outer) return outer
  const record = findReader(outer.schema, names)(outer.value, context)
  if (context.unusableToken !== null) {
    return { unexpected: { expected: 'text or null', found: `a page token that is ${context.unusableToken}` } }
  }
  return {
    record,
    excluded: context.excluded,
    hasTimeWithoutZone: context.hasTimeWithoutZone,
    differences: [...context.differences.values()],
    unknownFields: [...context.unknownFields],
  }
}

type Context = {
  differences: Map<string, Difference>
  unknownFields: Set<string>
  excluded: number
  hasTimeWithoutZone: boolean
  /** What the token of the next page is, where it can't be sent back. */
  unusableToken: string | null
}

type Fields = Record<string, unknown>

/** Reads one value of the schema that it was made of. */
type Reader = (value: unknown, context: Context) => unknown

/** Where a schema is: the path in the response as sent, the key by which names of the service are configured, and these names. */
type Place = { path: string; key: string; names: ResponseNames }

const maximumUnknownFields = 200

function isList(schema: z.ZodType): schema is z.ZodArray<z.ZodType> {
  return schema instanceof z.ZodArray
}

const readers = new WeakMap<ResponseNames, Map<z.ZodType, Reader>>()

/** The reader of a response's outer object or list, made once for a set of names: asking zod what a schema is takes longer than reading. */
function findReader(schema: z.ZodType, names: ResponseNames): Reader {
  const made = readers.get(names) ?? new Map<z.ZodType, Reader>()
  readers.set(names, made)
  const reader = made.get(schema) ?? valueReader(schema, { path: '', key: '', names })
  made.set(schema, reader)
  return reader
}

type Outer = { schema: z.ZodType; value: Fields | unknown[] } | { unexpected: UnexpectedForm }

/** The object or list that the body should be, after the configured name of its list. */
function outerForm(schema: z.ZodType, body: unknown, names: ResponseNames): Outer {
  if (schema instanceof z.ZodUnion) {
    const option = schema.options.find((one) => isList(one as z.ZodType) === Array.isArray(body))
    return outerForm((option ?? schema.options[0]) as z.ZodType, body, names)
  }
  if (isList(schema)) {
    const list = names.list === undefined || names.list === '' ? body : isFields(body) ? body[names.list] : undefined
    if (Array.isArray(list)) return { schema, value: list }
    const expected = names.list ? `an object with the list "${names.list}"` : 'a list'
    return { unexpected: { expected, found: describeForm(body) } }
  }
  if (!(schema instanceof z.ZodObject)) throw new TypeError('a response of the contract is an object or a list')
  const lists = Object.entries(schema.shape).filter(([, field]) => isList(field) || field instanceof z.ZodRecord)
  const [first] = lists
  if (names.list === '' && first) {
    return Array.isArray(body)
      ? { schema, value: { [first[0]]: body } }
      : { unexpected: { expected: 'a list', found: describeForm(body) } }
  }
  if (!isFields(body)) return { unexpected: { expected: expectedObject(lists, names), found: describeForm(body) } }
  const { [names.list ?? '']: list, ...rest } = body
  const renamed = first && names.list !== undefined ? { ...rest, [first[0]]: list } : body
  const isWhole = lists.every(([name, field]) =>
    isList(field) ? Array.isArray(renamed[name]) : isFields(renamed[name]),
  )
  if (!isWhole) return { unexpected: { expected: expectedObject(lists, names), found: describeForm(body) } }
  return { schema, value: renamed }
}

function expectedObject(lists: readonly [string, unknown][], names: ResponseNames): string {
  const [first] = lists
  return first ? `an object with "${names.list ?? first[0]}"` : 'an object'
}

/** Names the form of a body: its keys at most, never a value. */
function describeForm(body: unknown): string {
  if (!isFields(body)) return describeKind(body)
  const keys = Object.keys(body).filter((key) => /^[\w.-]{1,40}$/.test(key))
  if (keys.length === 0) return 'an object without fields'
  const shown = keys.slice(0, 8).map((key) => `"${key}"${kindNote(body[key])}`)
  return `an object with ${shown.join(', ')}${keys.length > 8 ? ', …' : ''}`
}

function kindNote(value: unknown): string {
  return Array.isArray(value) || typeof value !== 'object' || value === null ? ` (${describeKind(value)})` : ''
}

function valueReader(schema: z.ZodType, place: Place): Reader {
  const { path } = place
  // The interface counts an absent value as null where it allows null.
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const read = valueReader(schema.unwrap() as z.ZodType, place)
    const isNullable = schema instanceof z.ZodNullable
    return (value, context) => (value === undefined || (isNullable && value === null) ? null : read(value, context))
  }
  if (schema === (Xmetadata as z.ZodType)) {
    return (value, context) => withinLevels(value ?? differs(path, 'metadata or null', value, context), path, context)
  }
  const read = presentReader(schema, place)
  const expected = describeExpected(schema)
  return (value, context) =>
    value === undefined || value === null ? differs(path, expected, value, context) : read(value, context)
}

/** Reads a value that is neither absent nor null. */
function presentReader(schema: z.ZodType, place: Place): Reader {
  const { path, names } = place
  if (isList(schema)) {
    const read = listReader(schema, place)
    return (value, context) => (Array.isArray(value) ? read(value, context) : differs(path, 'a list', value, context))
  }
  if (schema instanceof z.ZodUnion) return unionReader(schema, place)
  if (schema instanceof z.ZodRecord || schema instanceof z.ZodObject) {
    const read = schema instanceof z.ZodRecord ? recordReader(schema, place) : fieldsReader(schema, place)
    return (value, context) => (isFields(value) ? read(value, context) : differs(path, 'an object', value, context))
  }
  if (schema instanceof z.ZodNumber) {
    const expected = isDecimal(schema) ? 'a number' : 'a whole number'
    return (value, context) => parseNumber(schema, expected, names, value, path, context)
  }
  if (schema instanceof z.ZodBoolean) {
    return (value, context) => (typeof value === 'boolean' ? value : differs(path, 'true or false', value, context))
  }
  if (isTimestamp(schema)) return (value, context) => parseTime(value, path, context)
  return textReader(schema, place)
}

function listReader(schema: z.ZodArray<z.ZodType>, { path, key, names }: Place) {
  const read = valueReader(schema.element, { path: `${path}[*]`, key, names })
  const isIdNeeded = needsId(schema.element)
  return (items: readonly unknown[], context: Context): unknown[] => {
    const parsed = items.map((item) => read(item, context))
    const usable = parsed.filter((item) => item !== null && !(isIdNeeded && isFields(item) && item.id === null))
    context.excluded += parsed.length - usable.length
    return usable
  }
}

function needsId(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject && 'id' in schema.shape && !(schema.shape.id instanceof z.ZodNullable)
}

/**
 * Every field of the schema, null where it is not provided, and in `otherFields` every other one as it was sent, but for
 * secrets and card numbers.
 */
function fieldsReader(schema: z.ZodObject, { path, key, names }: Place) {
  const owner = recordName(schema, key)
  const renamed = names.fields[owner] ?? {}
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const sentName = renamed[name] ?? name
    const place = { path: join(path, sentName), key: join(owner, name), names }
    return { name, sentName, read: valueReader(field as z.ZodType, place) }
  })
  const used = new Set(fields.map(({ sentName }) => sentName))
  return (sent: Fields, context: Context): Fields => {
    const parsed: Fields = {}
    for (const { name, sentName, read } of fields) parsed[name] = read(sent[sentName], context)
    const others = Object.keys(sent).filter((name) => !used.has(name))
    if (others.length === 0) return parsed
    parsed.otherFields = withoutSecrets(
      Object.fromEntries(others.map((name) => [name, withinLevels(sent[name], join(path, '*'), context)])),
      withoutCardNumber,
    )
    for (const name of others) {
      if (context.unknownFields.size < maximumUnknownFields && /^[\w.-]{1,60}$/.test(name)) {
        context.unknownFields.add(join(path, name))
      }
    }
    return parsed
  }
}

/** Reads a value by the record schema that has the most fields in common with it. */
function unionReader(schema: z.ZodUnion, place: Place): Reader {
  const options = (schema.options as z.ZodType[]).map((option) => ({
    names: option instanceof z.ZodObject ? Object.keys(option.shape) : [],
    read: valueReader(option, place),
  }))
  return (value, context) => {
    const common = (names: readonly string[]) => (isFields(value) ? names.filter((name) => name in value).length : 0)
    const [best] = options.toSorted((one, other) => common(other.names) - common(one.names))
    return best ? best.read(value, context) : differs(place.path, describeExpected(schema), value, context)
  }
}

function recordReader(schema: z.ZodRecord, { path, names }: Place) {
  const valueType = schema.valueType as z.ZodType
  const read = valueReader(valueType, { path: join(path, '*'), key: '', names })
  return (sent: Fields, context: Context): Fields => {
    const entries = Object.entries(sent).flatMap(([key, value]) => {
      const parsed = read(value, context)
      const isUsable = valueType.safeParse(parsed).success
      if (!isUsable) context.excluded += 1
      return isUsable ? [[key, parsed]] : []
    })
    return Object.fromEntries(entries) as Fields
  }
}

function textReader(schema: z.ZodType, { path, key, names }: Place): Reader {
  const expected = describeExpected(schema)
  const isOfId = isId(schema)
  const isPageToken = key.endsWith('PageToken')
  const isNextPage = key.endsWith('nextPageToken')
  const spellings = names.values[key]
  const known = listCodes(schema)
  const mask = isMadeToBeKept.test(key) ? (text: string) => text : maskCardNumbers
  if (/last4$/i.test(key)) return lastFourReader(path)
  return (value, context) => {
    const text = readText(value)
    if (text === null || typeof value !== 'string') note(path, expected, describeKind(value), context)
    // Without its token the list would seem to end here.
    if (isNextPage && text === null && value !== false) context.unusableToken = describeKind(value)
    if (text === null) return null
    if (known && text.trim() === '') return differs(path, expected, value, context)
    if (text === '' && isPageToken) return differs(path, 'null at the end of the list', value, context)
    if (isOfId) {
      if (text === '') return differs(path, 'an id', value, context)
      if (typeof value === 'string' && !isUuid(text)) note(path, 'a UUID', 'an id of another form', context)
      return text
    }
    const code = contractSpelling(spellings, text)
    if (!known) return mask(code)
    if (known.includes(code)) return code
    note(path, `one of ${known.join(', ')}`, codeText(code), context)
    return known.find((one) => withoutCase(one) === withoutCase(code)) ?? mask(code)
  }
}

/**
 * Ids, addresses and the numbers of persons, accounts and banks: one that looks like a card number stays as it was sent. Of any other
 * text that may hold one, the last four digits are read.
 */
const isMadeToBeKept = /(?:id|number|code|token|url|email|mobile)$/i

/** The last four digits of what a service sends as these: some send the whole number, or one with its other digits crossed out. */
function lastFourReader(path: string): Reader {
  const expected = 'four digits'
  return (value, context) => {
    const text = readText(value)
    if (text === null || typeof value !== 'string') note(path, expected, describeKind(value), context)
    if (text === null || /^\d{0,4}$/.test(text)) return text
    note(path, expected, 'text of another form', context)
    return text.replaceAll(/\D/g, '').slice(-4) || null
  }
}

/** A value of a field that the contract does not name, with the last four digits of what may be a card number. */
function withoutCardNumber(value: unknown): unknown {
  if (typeof value === 'string') return maskCardNumbers(value)
  return typeof value === 'number' && holdsCardNumber(String(value)) ? maskCardNumbers(String(value)) : value
}

/** `PENDING_ISSUE` and `Pending issue` are `pending-issue`. */
function withoutCase(code: string): string {
  return code
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, '-')
}

/** Decimal text, with or without an exponent: of two digits, so that no number comes out as 0 or infinite. */
const decimalPattern = /^-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?0?\d{1,2})?$/

/** A number or decimal text. A binary tail such as 400.40000000000003 is rounded away at 15 significant digits. */
function parseNumber(
  schema: z.ZodNumber,
  expected: 'a number' | 'a whole number',
  names: ResponseNames,
  value: unknown,
  path: string,
  context: Context,
): number | null {
  const isText = typeof value === 'string' && decimalPattern.test(value.trim())
  if (typeof value === 'string' && value !== '' && !isText) {
    note(path, expected, 'text that is no decimal number', context)
    return null
  }
  if (typeof value !== 'number' && !isText) return differs(path, expected, value, context)
  if (isText && !names.amountsAreText) note(path, expected, 'text', context)
  const number = Number(value)
  // Rounding takes long, and the shortest text of a number shows that there is nothing to round.
  const rounded = String(number).length <= 15 ? number : Number(number.toPrecision(15))
  const isExact = Math.abs(rounded - number) < 0.005
  if (!Number.isFinite(number) || Math.abs(number) >= 1e15 || !isExact) return differs(path, expected, value, context)
  if (expected === 'a whole number' && !Number.isInteger(rounded)) return differs(path, expected, value, context)
  // Asking zod takes longer than reading: most amounts have no range.
  if (schema.def.checks?.length && !schema.safeParse(rounded).success)
    note(path, `${expected} in its range`, 'a number outside it', context)
  return Object.is(rounded, -0) ? 0 : rounded
}

/** A time of the first years stands for none: `0001-01-01T00:00:00Z` is the empty time of some services. */
const earliestMs = Date.parse('1900-01-01T00:00:00Z')
const latestMs = Date.parse('9999-12-31T23:59:59.999Z')
/** As nearly every service writes a time. */
const usualPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const zonedIsoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const isoPattern = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?<zone>[Zz]|[+-]\d\d:?\d\d)?$/
/** A time of a place that it does not name. */
const localPattern = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/
/** Epoch values below are seconds, above milliseconds: the year 5138 in seconds, 1973 in milliseconds. */
const epochSecondsBelow = 1e11
/** A smaller number is no time: it would be one before March 1973. */
const smallestEpoch = 1e8

/** ISO 8601, or seconds or milliseconds since 1970. Returns ISO 8601 in UTC; a time without a zone is read as UTC. */
function parseTime(value: unknown, path: string, context: Context): string | null {
  const expected = 'an ISO 8601 time'
  const isUsual = typeof value === 'string' && usualPattern.test(value)
  const ms = isUsual ? inRange(Date.parse(value)) : parseTimeValue(value)
  if (ms === null) return differs(path, expected, value, context)
  const isIso = isUsual || (typeof value === 'string' && zonedIsoPattern.test(value))
  if (!isIso) {
    context.hasTimeWithoutZone ||= typeof value === 'string' && localPattern.test(value.trim())
    note(path, expected, typeof value === 'number' ? 'a number' : 'a time of another form', context)
  }
  return new Date(ms).toISOString()
}

function parseTimeValue(value: unknown): number | null {
  const text = typeof value === 'string' ? value.trim() : value
  if (typeof text === 'string' && !/^\d{9,14}(?:\.\d+)?$/.test(text)) {
    const iso = isoPattern.exec(text)
    if (!iso) return null
    const ms = Date.parse(`${text.replace(' ', 'T')}${iso.groups?.zone ? '' : 'Z'}`)
    return inRange(ms)
  }
  if (typeof text !== 'number' && typeof text !== 'string') return null
  const number = Number(text)
  if (!(number >= smallestEpoch)) return null
  return inRange(Math.round(number < epochSecondsBelow ? number * 1000 : number))
}

function inRange(ms: number): number | null {
  return ms >= earliestMs && ms <= latestMs ? ms : null
}

function isTimestamp(schema: z.ZodType): boolean {
  return schema === (Timestamp as z.ZodType)
}

function isId(schema: z.ZodType): boolean {
  return schema === (ResponseUuid as z.ZodType)
}

/** A number in place of text is its digits: a merchant category or a last four that was sent as a number. */
function readText(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null
}

function describeExpected(schema: z.ZodType): string {
  if (isId(schema)) return 'an id'
  if (isTimestamp(schema)) return 'an ISO 8601 time'
  if (schema instanceof z.ZodNumber) return 'a number'
  if (schema instanceof z.ZodBoolean) return 'true or false'
  if (isList(schema)) return 'a list'
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord || schema instanceof z.ZodUnion) return 'an object'
  return listCodes(schema) ? 'a code' : 'text'
}

function describeKind(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (value === '') return 'empty text'
  return { string: 'text', number: 'a number', boolean: 'true or false' }[typeof value as string] ?? 'an object'
}

/** A status or type is no personal data; anything longer or with spaces may be, so it is not repeated. */
function codeText(code: string): string {
  return /^[\w.-]{1,40}$/.test(code) && !/^\d{4,}$/.test(code) ? `"${code}"` : 'a code of another form'
}

function differs(path: string, expected: string, value: unknown, context: Context): null {
  note(path, expected, describeKind(value), context)
  return null
}

const maximumDifferences = 200

function note(path: string, expected: string, found: string, { differences }: Context): void {
  const key = `${path}\n${expected}\n${found}`
  if (differences.size < maximumDifferences) differences.set(key, { path, expected, found })
}

/** The value of any form, or null where it is too deep to be walked. */
function withinLevels(value: unknown, path: string, context: Context): unknown {
  if (isWithinLevels(value)) return value
  note(path, `at most ${deepestLevels} levels`, 'a deeper value', context)
  return null
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
