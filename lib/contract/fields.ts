import { z } from 'zod'
import { atMost } from '#lib/shared/at-most.ts'
import { e164Pattern } from './terms.ts'

/** RFC 9562 text form, any version: the service's identifiers. Compared in lower case. */
export const Uuid = z
  .string('must be a UUID string')
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID')
  .transform((text) => text.toLowerCase())
  .meta({ format: 'uuid' })

/** A UUID as it is in a response: nothing is transformed, so the schema describes the wire. */
export const ResponseUuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  .meta({ format: 'uuid' })

/** ISO 8601 date-time in a response, as the service writes it: UTC, milliseconds. */
export const Timestamp = z.iso.datetime({ offset: true })

const requestTimestamp = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })])

/** ISO 8601 date-time in a request, to the minute or finer, with a zone. */
const RequestTimestamp = z
  .string('must be an ISO 8601 date-time')
  .refine(
    (text) => requestTimestamp.safeParse(text).success && !Number.isNaN(Date.parse(text)),
    'must be an ISO 8601 date-time with a time zone, such as 2026-01-31T00:00:00Z',
  )
  .transform((text) => new Date(text))
  .meta({ format: 'date-time' })

/** Decision: every amount on the wire is below this. */
export const amountBound = 1e13

/** Decision: at most 15 significant digits, so that a JSON number carries every amount without loss. */
export const Amount = z
  .number('must be a number')
  .refine(
    (value) =>
      Math.abs(value) < amountBound &&
      String(value).replace(/[-.]|e.*$/g, '').length <= 15 &&
      !/e-/.test(String(value)),
    'must be an amount below 10,000,000,000,000 of at most 15 digits',
  )

export const PositiveAmount = Amount.refine((value) => value > 0, 'must be greater than 0')

/** Decision: ISO 4217 alphabetic code, or CNH. */
export const Currency = z
  .string('must be a currency code')
  .regex(/^[A-Z]{3}$/, 'must be a currency code of 3 upper-case letters')

/** The interface: two upper-case letters. Whether payouts reach the country is decided by the service, not by the shape. */
export const CountryCode = z
  .string('must be a string')
  .regex(/^[A-Z]{2}$/, 'must be two upper-case letters, such as HK')

/** Decision: up to 256 characters, not empty. Unique across all resources under the account. */
export const Xid = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .max(...atMost(256))

export const JsonValue = z.json().meta({ id: 'JsonValue', description: 'Any JSON value.' })

/** An object with arbitrary properties, a text, or an array of texts. */
export const Xmetadata = z.union(
  [z.record(z.string(), JsonValue), z.string(), z.array(z.string())],
  'must be an object, a text or an array of texts',
)
export type Xmetadata = z.infer<typeof Xmetadata>

/** Decision: free text of a request is bounded, and not blank. */
export function text(maximumLength: number) {
  return z
    .string('must be a string')
    .max(...atMost(maximumLength))
    .regex(/\S/, 'must not be empty')
}

/** One of a closed set, in a request: the error names the set. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`)
}

export const PhoneNumber = z
  .string('must be a string')
  .regex(e164Pattern, 'must be a phone number in E.164 format, such as +85291234567')

/** Decision: the key of an idempotent request, in the body or in the header, is 1 to 255 visible characters. */
export const IdempotencyKey = text(255).regex(/^[^\p{Cc}]*$/u, 'must have no control characters')

const maximumPageSize = 100
export const defaultPageSize = 20

/** Integer of 1 or more; a value above the bound is replaced by the bound, never refused. */
const PageSize = z
  .string()
  .regex(/^\d+$/, 'must be a whole number of 1 or more')
  .transform((text) => Math.min(Number(text), maximumPageSize))
  .refine((size) => size >= 1, 'must be a whole number of 1 or more')
  .meta({ documentedAs: { type: 'integer', minimum: 1, default: defaultPageSize } })

/**
 * A set of values that a real service may extend: strict where the built-in service is held to the contract, open in
 * its type, so that code that reads a response has to cope with an unknown value.
 */
export function openEnum<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values) as unknown as z.ZodType<Values[number] | (string & {}), string>
}

/** The two query parameters of every list. */
export const pageQuery = {
  pageSize: PageSize.optional(),
  pageToken: z.string().min(1, 'must not be empty').optional(),
}

/** The two tokens of every list response: null at the ends. */
export const pageResponse = {
  prevPageToken: z.string().nullable(),
  nextPageToken: z.string().nullable(),
}

/** More than fit into an address; zod's time grows with the square of the wrong ones. */
const mostListed = 1000

/** One value, the key repeated, or values separated by commas: always an array after parsing. */
export function queryList<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (Array.isArray(value) ? value : [value]).flatMap((part) => part.split(',', mostListed + 1)))
    .refine((values) => values.length <= mostListed, { error: `must have at most ${mostListed} values`, abort: true })
    .pipe(z.array(item).min(1))
    .meta({ listOf: item })
}

/** Checks a rule over several fields in addition to the rules of single fields, wherever the value is an object. */
export function whenObject({ value }: { value: unknown }): boolean {
  return typeof value === 'object' && value !== null
}

/** The two ends of a date range, both included. */
const dateRange = { dateRangeFrom: RequestTimestamp.optional(), dateRangeTo: RequestTimestamp.optional() }

/**
 * The query of a list in pages that a date range narrows. Refuses a range that starts after its end; other wrong parameters are
 * named beside it.
 */
export function datedListQuery<Shape extends z.core.$ZodShape>(filters: Shape) {
  const query = z.object({ ...filters, ...dateRange, ...pageQuery })
  return query.refine((given) => startsBeforeItEnds(given), {
    path: ['dateRangeFrom'],
    message: 'must not be after dateRangeTo',
    when: whenObject,
  })
}

function startsBeforeItEnds({ dateRangeFrom: from, dateRangeTo: to }: Partial<Record<string, unknown>>): boolean {
  return !(from instanceof Date && to instanceof Date) || from <= to
}
