import { createParser } from 'nuqs/server'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { isServiceId, isUuid } from '#lib/shared/ids.ts'
import { isDay } from '#lib/shared/wall-clock.ts'

/** An id of the service: opaque text, as it was sent. */
export const parseAsServiceId = createParser({
  parse: (text) => (isServiceId(text) ? text : null),
  serialize: (id: string) => id,
})

/** An id of the console's own: of a person or an operation. */
export const parseAsUuid = createParser({
  parse: (text) => (isUuid(text) ? text : null),
  serialize: (id: string) => id,
})

/** A day that exists, as `YYYY-MM-DD`. */
export const parseAsDay = createParser({
  parse: (text) => (isDay(text) ? text : null),
  serialize: (day: string) => day,
})

/** A number of days, as text. */
export const parseAsDays = createParser({
  parse: (text) => (/^[1-9]\d{0,2}$/.test(text) ? text : null),
  serialize: (days: string) => days,
})

/** The issue of a text that is not empty, and how to correct it; undefined where it is valid. */
export type FindProblem = (text: string) => string | undefined

/** A text that `problem` accepts. Another one in the address is left out, as every value that can't be read; the field explains a typed one. */
export function parseAsChecked(problem: FindProblem) {
  const parser = createParser({
    parse: (text) => (problem(text.trim()) === undefined ? text : null),
    serialize: (text: string) => text,
  })
  return { ...parser, problem }
}

/** A field's error for a text that may be a card number, before any request; `advice` says what to do. */
export function refuseCardNumber(text: string, advice = 'It isn’t searched, stored or logged.'): string | undefined {
  return holdsCardNumber(text) ? `This looks like a card number. ${advice}` : undefined
}
