import { z } from 'zod'
import { AppError } from './app-error.ts'
import { atMost } from './at-most.ts'
import { holdsCardNumber, isCardNumberTyped } from './card-numbers.ts'
import { isServiceId } from './ids.ts'
import { environments } from './routes.ts'
import { storableInstant } from './time.ts'

/** Parses what came from outside. Throws `INVALID_PARAMETERS` naming every wrong field; nothing of the value is repeated. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw new AppError(
    'INVALID_PARAMETERS',
    Object.entries(fieldErrors(parsed.error))
      .map(([field, problem]) => `${field} ${problem}`)
      .join('; '),
  )
}

/** The first problem of each wrong field. */
export function fieldErrors(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) {
    if (issue.code === 'invalid_type' && issue.path.length === 0) return { 'the request': 'must be a JSON object' }
    const paths = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.') || 'the request']
    for (const path of paths) fields[path] ??= issue.code === 'unrecognized_keys' ? 'is not known' : issue.message
  }
  return fields
}

/** The environment of an action. */
export const EnvironmentName = z.enum(environments, 'must be sandbox or production')

/** An identifier of the service: opaque, sent back as it came. Compare with `sameId`. */
export const ServiceId = z.string('must be an id').refine(isServiceId, 'must be an id')

/** For `refine`: no character that turns the direction of the text after it, in which an amount would be read backwards. */
export const noTurning = [
  (text: string) => !/[\u202A-\u202E\u2066-\u2069]/.test(text),
  'must not hold characters that turn the direction of text',
] as const

/** Text as people type it: no control characters, bounded. */
export function plainText(maximumLength: number) {
  return z
    .string('must be text')
    .max(...atMost(maximumLength))
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must not hold control characters')
}

/** The rule of text that the console stores, for `refine`. */
export const noCardNumber = [(text: string) => !holdsCardNumber(text), 'must not hold a card number'] as const

/**
 * Parses the search part of an address; empty parameters count as absent. Throws `INVALID_PARAMETERS`, and
 * `CARD_NUMBER_REFUSED` for a typed text that may be a card number.
 */
export function parseSearch<Schema extends z.ZodType>(schema: Schema, search: unknown): z.output<Schema> {
  if (typeof search !== 'object' || search === null) return parseInput(schema, search)
  const given = Object.entries(search).filter(([, value]) => value !== '' && value !== undefined && value !== null)
  const isRefused = (name: string, text: unknown) => typeof text === 'string' && isCardNumberTyped(name, text)
  if (given.some(([name, value]) => [value].flat().some((text) => isRefused(name, text)))) {
    throw new AppError(
      'CARD_NUMBER_REFUSED',
      'This looks like a card number. It wasn’t searched, stored or logged. Search for the last four digits.',
    )
  }
  return parseInput(schema, Object.fromEntries(given))
}

/** A whole number from 1 as a number or as the text of a form or an address. */
export function wholeNumber(most: number, must = `must be a whole number from 1 to ${most}`) {
  return z
    .union([z.number(), z.string().regex(/^\d{1,9}$/)], must)
    .transform(Number)
    .refine((value) => Number.isInteger(value) && value >= 1 && value <= most, must)
}

/** Larger pages become the largest. */
const pageSize = wholeNumber(999_999_999, 'must be a whole number of 1 or more').transform((size) =>
  Math.min(size, 100),
)

/** One page of a list of the console, as its search names it. */
export const listPage = { pageSize, pageToken: plainText(2000) }

/** One page of a list of the service, as its query names it. */
export const servicePage = { pageSize: pageSize.transform(String), pageToken: plainText(8192) }

/** ISO 8601 with a zone. */
export const dateTimeText = z.iso
  .datetime({ offset: true, error: 'must be a date-time with a time zone' })
  .refine(...storableInstant)
export const dateTime = dateTimeText.transform((text) => new Date(text))

/** The terms of a search, every one of which has to be found. */
export function searchTerms(q: string): string[] {
  return q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)
}
