import { createParser } from 'nuqs/server'
import type { FindProblem } from '#lib/api/search.ts'
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
export const parseAsDay = parseAsChecked((text) => (isDay(text) ? undefined : 'Enter a day such as 2026-10-01.'))

/** A number of days, as text. */
export function parseAsDays(maximum: number) {
  return createParser({
    parse: (text) => (/^[1-9]\d*$/.test(text) && Number(text) <= maximum ? text : null),
    serialize: (days: string) => days,
  })
}

/** A text that `problem` accepts. Another one in the address is left out, as every value that can't be read; the field explains a typed one. */
export function parseAsChecked(problem: FindProblem) {
  const parser = createParser({
    parse: (text) => (problem(text.trim()) === undefined ? text : null),
    serialize: (text: string) => text,
  })
  return { ...parser, problem }
}
