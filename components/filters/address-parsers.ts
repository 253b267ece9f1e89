import { createParser } from 'nuqs/server'
import { isServiceId } from '#lib/shared/ids.ts'
import { isDay } from '#lib/shared/wall-clock.ts'

/** An id of the service: opaque text, as it was sent. */
export const parseAsServiceId = createParser({
  parse: (text) => (isServiceId(text) ? text : null),
  serialize: (id: string) => id,
})

/** A day that exists, as `YYYY-MM-DD`. */
export const parseAsDay = createParser({
  parse: (text) => (isDay(text) ? text : null),
  serialize: (day: string) => day,
})
